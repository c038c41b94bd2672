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

  func view(of state: Tracked<DogSearch>.State) -> PageView {
    let view = dogs.view(of: state)
    let names = state.content.displayed.items.map(\.name)
    let others = names.count - Self.most
    let query: LiveQuery = ["q": state.content.displayed.term]
    let apps: [Values] = ScreenEntry.all.compactMap { entry in
      entry.link.map {
        ["href": entry.path, "title": $0.title, "icon": $0.icon, "text": $0.text]
      }
    }
    return PageView(
      .home, status: view.status,
      [
        "dogs": view.values,
        // As many dogs as there is room for, then how many more there are, and where.
        "rows": Array(names.prefix(Self.most)), "others": others > 0 ? others.grouped : nil,
        "all": "/dogs" + query.text, "apps": apps,
      ])
  }
}
