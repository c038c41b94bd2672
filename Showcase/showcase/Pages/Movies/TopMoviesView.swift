import Application
import CurlewScreens
import Domain

/// The words and switches of the template of what sells best.
struct TopMoviesView {
  struct Card {
    let key: String
    let rank: String
    let title: String
    let releaseDate: String
    let price: String
    let isForSale: Bool
    let rental: String?
    let category: String?
    let summary: String
    let hasSummary: Bool
    let image: String?
    let link: String?
  }

  let country: String
  let status: String
  let isLoading: Bool
  let address: String
  let choices: [Choices]
  let activity: ActivityView
  let list: ListView
  let cards: [Card]

  init(_ tracked: Tracked<TopMovies>.State, address: String) {
    let (state, feed) = (tracked.content, tracked.content.feed)
    self.address = address
    country = state.countryName
    status = Self.status(of: state)
    isLoading = feed.isLoading
    choices = [
      Choices(
        name: "country", label: "Country",
        choices: TopMovies.countries.map {
          Choice(value: $0.code, name: $0.name, isChosen: $0.code == state.country)
        }),
      Choices(
        name: "limit", label: "How many",
        choices: TopMovies.limits.map {
          Choice(value: "\($0)", name: "Top \($0)", isChosen: $0 == state.limit)
        }),
    ]
    activity = ActivityView(
      tracked.activity, failure: feed.failure, isEmpty: feed.items.isEmpty, retry: address)
    list = ListView(feed, isBusy: tracked.activity.isVisible) { _ in address }
    cards = feed.items.map { Card($0) }
  }

  /// What a screen reader says when the state changes.
  private static func status(of state: TopMovies.State) -> String {
    let feed = state.feed
    switch feed.status {
    case .idle: return ""
    case .loading: return "Looking at \(state.countryName)…"
    case .empty: return "The list of \(state.countryName) is empty."
    case .failed: return "The movies could not be loaded."
    case .content, .ended:
      return "\(state.countryName): "
        + (feed.items.count == 1 ? "1 movie" : "\(feed.items.count) movies, best sellers first")
    }
  }
}

extension TopMoviesView.Card {
  fileprivate init(_ movie: StoreMovie) {
    let row = StoreMovieRow(movie)
    key = movie.id
    rank = "\(movie.rank)"
    title = row.title
    releaseDate = row.releaseDate
    price = row.price
    isForSale = row.price.first?.isNumber == true
    rental = row.rental.isEmpty ? nil : row.rental
    category = row.category.isEmpty ? nil : row.category
    summary = row.summary
    hasSummary = movie.summary?.contains { !$0.isWhitespace } == true
    image = row.image?.webAddress
    link = row.link?.webAddress
  }
}
