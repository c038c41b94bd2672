import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The home page: an introduction, a search shown in three frames and beside a naive search, and
/// links to the apps.
struct HomePage: ShowcasePage {
  private static let most = 5

  let screen: SearchComparison<Dog>
  /// The page whose content one of the frames shows, and whose lines the terminal frame prints.
  private let dogs: SearchPage<Dog>

  /// Creates the page for a source; the user can add latency, measured with the clock.
  init(_ source: any DogSource, clock: any Clock<Duration> = ContinuousClock()) {
    screen = SearchComparison(clock: clock) { try await source.dogs(named: $0) }
    dogs = SearchPage(
      path: "/", title: "Curlew", lead: "", label: "Which dogs begin with…",
      examples: ["Great", "German"], screen: DogSearch(source), row: \.name)
  }

  var path: String { "/" }

  func events(
    for query: LiveQuery, in state: SearchComparison<Dog>.State
  ) -> [SearchComparison<Dog>.Event] {
    state.search.events(for: query["q"]).map { .search($0) }
  }

  func event(for action: LiveAction) -> SearchComparison<Dog>.Event? {
    guard action.name == "latency" else { return DogSearch.Event(action).map { .search($0) } }
    return Int(action.value).map { .latency(.milliseconds($0)) }
  }

  func address(of state: SearchComparison<Dog>.State) -> LiveAddress {
    state.search.address
  }

  func title(of state: SearchComparison<Dog>.State) -> String {
    "Curlew · Search as you type that can’t get it wrong"
  }

  func view(of state: SearchComparison<Dog>.State, _ activity: ScreenActivity) -> HomeView {
    let comparison = state
    let (search, naive) = (comparison.search, comparison.naive)
    let searched: LiveQuery = ["q": search.query.isEmpty ? nil : search.query]
    return HomeView(
      dogs: dogs.view(of: search, activity),
      phone: rows("phone", search.items), rows: rows("rows", search.items),
      others: others(search.items), page: "/dogs" + searched.text,
      naive: NaiveView(
        shown: naive.shown, text: naive.text, isWrong: naive.isWrong,
        rows: rows("naive", naive.items), others: others(naive.items)),
      keystrokes: comparison.keystrokes, requests: comparison.requests,
      naiveRequests: naive.requests,
      milliseconds: Int(comparison.latency / .milliseconds(1)),
      latency: Self.seconds(comparison.latency))
  }

  /// Identifies rows by their index instead of their dog, so that no rows move when a keystroke
  /// changes the results.
  private func rows(_ name: String, _ dogs: [Dog]) -> LivePiece {
    let rows = dogs.prefix(Self.most).enumerated().map { DogView(place: $0, name: $1.name) }
    return LivePiece(name, rows: rows, key: { "\($0.place)" }) { $0.html }
  }

  private static func seconds(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return seconds.formatted(
      .number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US"))) + " s"
  }

  private func others(_ dogs: [Dog]) -> String? {
    dogs.count > Self.most ? (dogs.count - Self.most).grouped : nil
  }
}

struct HomeView: PageView {
  var status: String { dogs.status }
  let dogs: SearchView
  /// The first dogs, for the phone and for the browser.
  let phone, rows: LivePiece
  /// The number of further dogs.
  let others: String?
  /// The address of the page with all results.
  let page: String
  let naive: NaiveView
  let keystrokes, requests, naiveRequests: Int
  /// The latency as a number for the slider, and as text.
  let milliseconds: Int
  let latency: String
  private var printed: [String] { dogs.lines }
  private var isUnused: Bool { keystrokes == 0 }
  private var apps: [LinkView] { LinkView.all() }

  private var screenCode: HTML { HomeCode.screen }
  private var viewCode: HTML { HomeCode.view }
  private var naiveCode: HTML { HomeCode.naive }

  static let template = HTMLTemplate<Self>(PackageResources.home_mustache)
  static let names: TemplateNames<Self> = [
    "dogs": \.dogs, "phone": \.phone, "rows": \.rows, "others": \.others, "page": \.page,
    "naive": \.naive, "keystrokes": \.keystrokes, "requests": \.requests,
    "naiveRequests": \.naiveRequests, "milliseconds": \.milliseconds, "latency": \.latency,
    "printed": \.printed, "apps": \.apps,
    "screenCode": \.screenCode, "viewCode": \.viewCode, "naiveCode": \.naiveCode,
    "isUnused": \.isUnused,
  ]
}

/// The code on the home page, with the colors of an issue's code.
private enum HomeCode {
  static let screen = highlighted(
    """
    let dogs = Search<Dog> { text in
      try await kennel.send(Kennel.dogs(text))
    }
    """)
  static let view = highlighted(
    #"""
    @State private var model = ScreenModel(dogs)
    List(model.items, id: \.name) { Text($0.name) }
      .searchable(text: model.binding(\.text) { .term($0) })
      .activity(of: model)
      .running(model)
    """#)
  static let naive = highlighted(
    """
    .onChange(of: text) {
      Task { items = try await dogs(text) }
    }
    """)

  private static func highlighted(_ code: String) -> HTML {
    Markdown.html("```swift\n\(code)\n```")
  }
}

/// The state of a naive search.
struct NaiveView: TemplateValues {
  /// The text whose results are shown, and the text in the field.
  let shown: String?
  let text: String
  let isWrong: Bool
  let rows: LivePiece
  let others: String?

  static let names: TemplateNames<Self> = [
    "shown": \.shown, "text": \.text, "isWrong": \.isWrong, "rows": \.rows, "others": \.others,
  ]
}

struct DogView: TemplateView, Equatable {
  let place: Int
  let name: String

  static let template = HTMLTemplate<Self>(PackageResources.dog_mustache)
  static let names: TemplateNames<Self> = ["place": \.place, "name": \.name]
}
