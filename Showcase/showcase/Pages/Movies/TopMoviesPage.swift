import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let topMovies = ScreenEntry(
    name: "itunes",
    link: Link(
      title: "iTunes", icon: "M5 20v-7M12 20V4M19 20v-11M3 20h18",
      miniature: .ranks(["Northbound", "Quartet for Five", "Below the Ninth Wave"]),
      text: "The best-selling movies on iTunes, by country."),
    actions: "country gb, limit 50, refresh, retry", command: ITunesCommand.self,
    example: ("itunes --country de", "best-selling movies in the iTunes store"),
    page: { TopMoviesPage(TopMovies(store: $0.store), isOffline: $0.isOffline) })
}

/// The page of a store's best-selling movies.
struct TopMoviesPage: DatedPage {
  let screen: TopMovies
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/itunes" }

  func events(for query: LiveQuery, in state: TopMovies.State) -> [TopMovies.Event] {
    let usual = StoreFilter()
    let country = StoreFilter.countries.first { $0.code == query["country"] }?.code
    let limit = StoreFilter.limits.first { "\($0)" == query["limit"] }
    return [
      .filter(.country(country ?? usual.country)), .filter(.limit(limit ?? usual.limit)),
      .feed(.load),
    ] + (state.feed.failure == nil ? [] : [.feed(.retry)])
  }

  func event(for action: LiveAction) -> TopMovies.Event? {
    switch action.name {
    case "country":
      StoreFilter.countries.first { $0.code == action.value }.map { .filter(.country($0.code)) }
    case "limit":
      StoreFilter.limits.first { "\($0)" == action.value }.map { .filter(.limit($0)) }
    default: Feed<StoreMovie>.Event(action).map { .feed($0) }
    }
  }

  func address(of state: TopMovies.State) -> LiveAddress {
    LiveAddress(query(of: state.filter))
  }

  /// Returns the choices that differ from the defaults.
  func query(of filter: StoreFilter) -> LiveQuery {
    let usual = StoreFilter()
    return [
      "country": filter.country == usual.country ? nil : filter.country,
      "limit": filter.limit == usual.limit ? nil : "\(filter.limit)",
    ]
  }

  func title(of state: TopMovies.State) -> String {
    "Top movies, \(state.filter.countryName)"
  }

  func view(of state: TopMovies.State, _ activity: ScreenActivity) -> TopMoviesView {
    let (filter, feed) = (state.filter, state.feed)
    let country = filter.countryName
    let address = path + query(of: filter).text
    let status = feed.status(
      loading: "Loading the movies of \(country)…", empty: "The list of \(country) is empty.",
      failed: "The movies could not be loaded."
    ) { "\(country): " + ($0 == 1 ? "1 movie" : "\($0) movies, best sellers first") }
    return TopMoviesView(
      status: status,
      list: ListView(feed, activity, now: now(), failed: "The movies could not be loaded") { _ in
        address
      },
      filter: filter,
      rows: LivePiece("rows", rows: feed.items, key: \.id) { StoreMovieView($0).html })
  }
}

struct TopMoviesView: ListPageView {
  let status: String
  let list: ListView
  fileprivate let filter: StoreFilter
  let rows: LivePiece
  var choices: [ChoiceView] {
    let limits = StoreFilter.limits.map { ("\($0)", "Top \($0)") }
    return [
      ChoiceView("country", label: "Country", StoreFilter.countries, chosen: filter.country),
      ChoiceView("limit", label: "Movies", limits, chosen: "\(filter.limit)"),
    ]
  }

  static let template = HTMLTemplate<Self>(PackageResources.itunes_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "list": \.list, "rows": \.rows, "country": \.filter.countryName,
    "choices": \.choices,
  ]
}

/// A movie in the list of a store.
struct StoreMovieView: TemplateView {
  private let movie: StoreMovie
  private let row: StoreMovieRow
  private var releaseDate: String? { row.releaseDate.isEmpty ? nil : row.releaseDate }
  private var isForSale: Bool { row.price.first?.isNumber == true }
  private var rental: String? { row.rental.isEmpty ? nil : row.rental }
  private var category: String? { row.category.isEmpty ? nil : row.category }
  private var hasSummary: Bool { movie.summary?.contains { !$0.isWhitespace } == true }
  private var image: String? { row.image?.imagePath }
  private var link: String? { movie.link?.webAddress }

  static let template = HTMLTemplate<Self>(PackageResources.storemovie_mustache)
  static let names: TemplateNames<Self> = [
    "key": \.movie.id, "rank": \.movie.rank, "title": \.row.title,
    "releaseDate": \.releaseDate, "price": \.row.price, "isForSale": \.isForSale,
    "rental": \.rental, "category": \.category, "summary": \.row.summary,
    "hasSummary": \.hasSummary, "image": \.image, "link": \.link,
  ]

  init(_ movie: StoreMovie) { (self.movie, row) = (movie, StoreMovieRow(movie)) }
}
