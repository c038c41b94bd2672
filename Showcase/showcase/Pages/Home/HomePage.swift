import Application
import CurlewLive
import CurlewScreens
import Domain

/// The first page: what this is, one screen to try at once, and the way to the others.
struct HomePage: ShowcasePage {
  private static let most = 5

  private let dogs: SearchPage<Dog>

  init(_ screen: DogSearch) {
    dogs = SearchPage(
      path: "/", title: "Curlew", lead: "", label: "Which dogs begin with…",
      examples: ["Great", "Shiba"], screen: ActivityTracking(screen), row: \.name)
  }

  var path: String { dogs.path }
  var screen: Tracked<DogSearch> { dogs.screen }

  func innerEvents(for query: LiveQuery, in state: DogSearch.State) -> [DogSearch.Event] {
    dogs.innerEvents(for: query, in: state)
  }

  func innerEvent(for action: LiveAction) -> DogSearch.Event? { dogs.innerEvent(for: action) }

  func address(of state: Tracked<DogSearch>.State) -> LiveAddress { dogs.address(of: state) }

  func title(of state: Tracked<DogSearch>.State) -> String {
    "Curlew · From an HTTP endpoint to a live screen"
  }

  func view(of state: Tracked<DogSearch>.State) -> HomeView {
    let names = state.content.displayed.items.map(\.name)
    let others = names.count - Self.most
    let query: LiveQuery = ["q": state.content.displayed.term]
    return HomeView(
      dogs: dogs.view(of: state),
      rows: LivePiece("rows", rows: Array(names.prefix(Self.most)), key: \.self) {
        DogView(name: $0).html
      },
      others: others > 0 ? others.grouped : nil, all: "/dogs" + query.text)
  }
}

struct HomeView: PageView {
  var status: String { dogs.status }
  let dogs: SearchView
  /// As many dogs as there is room for.
  let rows: LivePiece
  /// How many more there are, and where.
  let others: String?
  let all: String
  private var apps: [LinkView] { LinkView.all() }

  static let template = HTMLTemplate<Self>(PackageResources.home_mustache)
  static let names: TemplateNames<Self> = [
    "dogs": \.dogs, "rows": \.rows, "others": \.others, "all": \.all, "apps": \.apps,
  ]
}

struct DogView: TemplateView {
  let name: String

  static let template = HTMLTemplate<Self>(PackageResources.dog_mustache)
  static let names: TemplateNames<Self> = ["name": \.name]
}
