import Application
import CurlewLive
import CurlewScreens
import Domain

/// What sells best in a store, in a browser.
struct TopMoviesPage: LivePage {
  let screen: ActivityTracking<TopMovies>
  let templates: Templates

  var path: String { "/itunes" }

  init(_ screen: TopMovies, _ templates: Templates) {
    self.screen = ActivityTracking(screen)
    self.templates = templates
  }

  func events(
    for query: LiveQuery, in state: ActivityTracking<TopMovies>.State
  ) -> [ActivityTracking<TopMovies>.Event] {
    let usual = screen.initial.content
    let country = TopMovies.countries.first { $0.code == query["country"] }?.code
    let limit = query["limit"].flatMap(Int.init).flatMap { limit in
      TopMovies.limits.first { $0 == limit }
    }
    var events: [TopMovies.Event] = [
      .country(country ?? usual.country), .limit(limit ?? usual.limit), .feed(.load),
    ]
    if state.content.feed.failure != nil { events.append(.feed(.retry)) }
    return events.map { .content($0) }
  }

  func event(for action: LiveAction) -> ActivityTracking<TopMovies>.Event? {
    switch action.name {
    case "country": .content(.country(action.value))
    case "limit": Int(action.value).map { .content(.limit($0)) }
    case "retry": .content(.feed(.retry))
    case "refresh": .content(.feed(.refresh))
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: ActivityTracking<TopMovies>.State) -> LiveAddress {
    LiveAddress(query(of: state.content))
  }

  /// What differs from the usual.
  private func query(of state: TopMovies.State) -> LiveQuery {
    let usual = screen.initial.content
    return [
      "country": state.country == usual.country ? nil : state.country,
      "limit": state.limit == usual.limit ? nil : "\(state.limit)",
    ]
  }

  func title(of state: ActivityTracking<TopMovies>.State) -> String {
    "Top movies, \(state.content.countryName)"
  }

  func render(_ state: ActivityTracking<TopMovies>.State) -> HTML {
    templates.draw(.itunes, TopMoviesView(state, address: path + query(of: state.content).text))
  }
}

extension TopMovies.State {
  /// The country in words.
  var countryName: String {
    TopMovies.countries.first { $0.code == country }?.name ?? country
  }
}
