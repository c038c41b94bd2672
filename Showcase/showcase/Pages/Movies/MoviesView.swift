import Application
import CurlewScreens
import Domain

/// The words and switches of the template of a catalogue's movies.
struct MoviesView {
  struct Segment {
    let slug: String
    let title: String
    let href: String
    let isShown: Bool
  }

  struct Card {
    let id: String
    let title: String
    let year: String?
    let vote: String?
    /// Whether nobody has voted, as far as is known.
    let hasNoVotes: Bool
    let overview: String
    /// The language of what the catalogue says; `nil` for our own words.
    let overviewLanguage: String?
    let poster: String?
    /// Whether the next page is wanted when it comes into view.
    let isNearEnd: Bool
  }

  let title: String
  let action: String
  let language: String
  let status: String
  let isLoading: Bool
  let retry: String
  let segments: [Segment]
  let choices: [Choices]
  let activity: ActivityView
  let list: ListView
  let cards: [Card]

  init(_ state: Movies.State, _ activity: Activity) {
    let feed = state.feed
    let address = { MoviesPage.address(state.list, language: state.language, page: $0) }
    title = state.list.title
    action = Place.movies(state.list).address
    language = state.language
    status = Self.status(of: state)
    isLoading = feed.isLoading
    retry = address(feed.start?.number)
    segments = MovieList.allCases.map { list in
      Segment(
        slug: list.slug, title: list.title,
        href: MoviesPage.address(list, language: state.language), isShown: list == state.list)
    }
    choices = [
      Choices(
        name: "language", label: "Language",
        choices: Movies.languages.map {
          Choice(value: $0.code, name: $0.name, isChosen: $0.code == state.language)
        })
    ]
    self.activity = ActivityView(
      activity, failure: feed.failure, isEmpty: feed.items.isEmpty, retry: retry)
    list = ListView(feed, isBusy: activity.isVisible, address: address)
    cards = feed.items.enumerated().map { place, movie in
      Card(movie, language: state.language, isNearEnd: feed.isNearEnd(place))
    }
  }

  /// What a screen reader says when the state changes.
  private static func status(of state: Movies.State) -> String {
    let (feed, title) = (state.feed, state.list.title)
    let count = feed.items.count
    switch feed.status {
    case .idle: return ""
    case .loading(.next): return "Loading more than \(count.grouped)…"
    case .loading: return "Loading what is \(title.lowercased())…"
    case .empty where feed.start != nil: return "The list ends before this page."
    case .empty: return "There are no movies in this list."
    case .failed(_, .next): return "\(count.grouped) are shown; the next could not be loaded."
    case .failed: return "The movies could not be loaded."
    case .content, .ended:
      guard let total = feed.total else { return "\(count.grouped) movies" }
      return "\(total.grouped) \(total == 1 ? "movie" : "movies")"
        + (count < total ? ", \(count.grouped) shown" : "")
    }
  }
}

extension MoviesView.Card {
  fileprivate init(_ movie: Movie, language: String, isNearEnd: Bool) {
    let row = MovieRow(movie)
    self.init(
      id: "\(movie.id)", title: row.title, year: row.year.isEmpty ? nil : row.year,
      vote: movie.voteCount == 0 ? nil : row.vote, hasNoVotes: movie.voteCount == 0,
      overview: row.overview,
      overviewLanguage: movie.overview.isEmpty ? nil : language,
      poster: row.poster?.webAddress, isNearEnd: isNearEnd)
  }
}
