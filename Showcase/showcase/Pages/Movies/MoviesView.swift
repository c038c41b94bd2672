import Application
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the template of a catalogue's movies.
struct MoviesView: PageView {
  struct Segment {
    let slug: String
    let title: String
    let href: String
    let isShown: Bool
  }

  struct Card {
    let id: String
    let href: String
    let title: String
    let year: String?
    let vote: String?
    /// Whether nobody has voted, as far as is known.
    let hasNoVotes: Bool
    let overview: String
    /// The language of the overview; `nil` where the catalogue has none and the page says so.
    let overviewLanguage: String?
    let poster: String?
  }

  static let template = Template(PackageResources.movies_mustache)

  let title: String
  let action: String
  let language: String
  let status: String
  let segments: [Segment]
  let choices: [Choices]
  let activity: ActivityView
  let list: ListView
  let cards: [Card]

  var leftOut: LeftOut? { list.leftOut }
  var age: AgeView? { list.age }

  init(_ tracked: Tracked<Movies>.State, now: Date) {
    let (filter, feed) = (tracked.content.shown.filter, tracked.content.shown.feed)
    title = filter.list.title
    action = MoviesPage.path(of: filter.list)
    language = filter.language
    status = feed.status(
      loading: "Loading what is \(title.lowercased())…",
      empty: "There are no movies in this list.", failed: "The movies could not be loaded."
    ) { "\($0.grouped) \($0 == 1 ? "movie" : "movies")" }
    segments = MovieList.allCases.map { list in
      Segment(
        slug: list.slug, title: list.title,
        href: MoviesPage.address(list, language: filter.language), isShown: list == filter.list)
    }
    choices = [
      Choices(
        name: "language", label: "Language",
        choices: MovieFilter.languages.map {
          Choice(value: $0.code, name: $0.name, isChosen: $0.code == filter.language)
        })
    ]
    list = ListView(
      feed, isBusy: tracked.activity.isVisible,
      age: AgeView(asOf: feed.asOf, isOffline: tracked.content.isOffline, now: now)
    ) { page in
      MoviesPage.address(filter.list, language: filter.language, page: page)
    }
    activity = ActivityView(tracked.activity, of: feed, retry: list.retry)
    cards = feed.items.map { Card($0, language: filter.language) }
  }
}

extension MoviesView.Card {
  fileprivate init(_ movie: Movie, language: String) {
    let row = MovieRow(movie)
    self.init(
      id: "\(movie.id)",
      href: MovieRoute(MovieKey(id: movie.id, language: language)).address, title: row.title,
      year: row.year.isEmpty ? nil : row.year,
      vote: movie.voteCount == 0 ? nil : row.vote, hasNoVotes: movie.voteCount == 0,
      overview: row.overview,
      overviewLanguage: movie.overview.isEmpty ? nil : language,
      poster: row.poster?.imagePath)
  }
}
