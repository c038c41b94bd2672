import Application
import CurlewLive
import CurlewScreens
import Domain

/// The first page: what this is, one screen to try at once, and the way to the others.
struct HomePage: ShowcasePage {
  private let dogs: SearchPage<Dog>

  init(_ screen: DogSearch) {
    dogs = SearchPage(
      path: "/",
      texts: SearchPage.Texts(
        title: "Curlew", lead: "", label: "Which dogs begin with…", examples: ["Great", "Shiba"]),
      screen: ActivityTracking(screen), row: \.name)
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

  func view(of state: Tracked<DogSearch>.State) -> HomeView { HomeView(dogs.view(of: state)) }
}

/// The texts and switches of the first page's template.
struct HomeView: PageView {
  /// A way to a screen.
  struct App {
    let href: String
    let title: String
    let icon: String
    let text: String
  }

  static let template = Template(PackageResources.home_mustache)

  private static let most = 5

  let dogs: SearchView
  /// As many dogs as there is room for.
  let rows: [String]
  /// How many more there are, and where.
  let others: String?
  let all: String
  let apps: [App]

  var status: String { dogs.status }

  init(_ dogs: SearchView) {
    self.dogs = dogs
    rows = Array(dogs.rows.prefix(Self.most))
    others = dogs.rows.count > Self.most ? (dogs.rows.count - Self.most).grouped : nil
    let query: LiveQuery = ["q": dogs.search.term]
    all = "/dogs" + query.text
    apps = ScreenEntry.all.compactMap { entry in
      entry.link.map {
        App(href: entry.path, title: $0.title, icon: $0.icon, text: $0.text)
      }
    }
  }
}
