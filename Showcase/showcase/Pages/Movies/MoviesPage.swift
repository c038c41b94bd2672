import Application
import CurlewLive
import CurlewScreens
import Domain

/// The lists of a catalogue of movies in a browser.
struct MoviesPage: LivePage {
  let screen: ActivityTracking<Movies>
  let templates: Templates

  var path: String { "/movies/{list}" }

  init(_ screen: Movies, _ templates: Templates) {
    self.screen = ActivityTracking(screen)
    self.templates = templates
  }

  func isPlace(_ query: LiveQuery) -> Bool { Self.list(in: query) != nil }

  func events(
    for query: LiveQuery, in state: ActivityTracking<Movies>.State
  ) -> [ActivityTracking<Movies>.Event] {
    guard let list = Self.list(in: query) else { return [] }
    let language = Movies.languages.first { $0.code == query["language"] }?.code
    var events: [Movies.Event] = [
      .list(list), .language(language ?? Movies.languages[0].code), .feed(.open(query.page)),
    ]
    if state.content.feed.failure != nil { events.append(.feed(.retry)) }
    return events.map { .content($0) }
  }

  func event(for action: LiveAction) -> ActivityTracking<Movies>.Event? {
    switch action.name {
    case "list": MovieList(slug: action.value).map { .content(.list($0)) }
    case "language": .content(.language(action.value))
    case "retry": .content(.feed(.retry))
    case "refresh": .content(.feed(.refresh))
    case "more": .content(.feed(.more))
    case "appeared": Int(action.value).map { .content(.feed(.appeared($0))) }
    case "dismiss": .dismiss(WorkID(action.value))
    default: nil
    }
  }

  func address(of state: ActivityTracking<Movies>.State) -> LiveAddress {
    let state = state.content
    return LiveAddress(
      path: Place.movies(state.list).address,
      Self.query(language: state.language, page: state.feed.start?.number))
  }

  static func query(language: String, page: Int? = nil) -> LiveQuery {
    let isUsual = language == Movies.languages[0].code
    return ["language": isUsual ? nil : language, "page": page.map { "\($0)" }]
  }

  static func address(_ list: MovieList, language: String, page: Int? = nil) -> String {
    Place.movies(list).address + query(language: language, page: page).text
  }

  func title(of state: ActivityTracking<Movies>.State) -> String {
    "\(state.content.list.title) · Movies"
  }

  func render(_ state: ActivityTracking<Movies>.State) -> HTML {
    templates.draw(.movies, MoviesView(state.content, state.activity))
  }

  private static func list(in query: LiveQuery) -> MovieList? {
    MovieList(slug: query["list"] ?? "")
  }
}

extension MovieList {
  /// The list in words.
  var title: String {
    switch self {
    case .nowPlaying: "Now playing"
    case .topRated: "Top rated"
    }
  }
}
