import CurlewLive
import CurlewScreens

/// A screen for tests of navigation: a named shelf, with links to other shelves.
struct Shelves: Screen {
  enum Event: Sendable {
    case open(String)
    case go(String)
  }

  struct Place: Route {
    let address: String
  }

  var initial: String { "" }

  func handle(_ event: Event, _ state: inout String, _ work: inout Work<String>) {
    switch event {
    case .open(let name):
      state = name
      if name == "moved" { work.go(to: Place(address: "/shelves/new")) }
    case .go(let name):
      state += "…"
      work.go(to: Place(address: "/shelves/\(name)"))
    }
  }
}

/// A shelf as a page: `/shelves/{name}?sort=…`.
struct ShelfPage: LivePage {
  var path: String { "/shelves/{name}" }
  var screen: Shelves { Shelves() }

  func exists(for query: LiveQuery) -> Bool { query["name"] != "nowhere" }

  func events(for query: LiveQuery, in state: String) -> [Shelves.Event] {
    [.open((query["name"] ?? "") + (query["sort"].map { " by \($0)" } ?? ""))]
  }

  func event(for action: LiveAction) -> Shelves.Event? {
    action.name == "go" ? .go(action.value) : nil
  }

  func address(of state: String) -> LiveAddress { LiveAddress(path: "/shelves/\(state)") }

  func title(of state: String) -> String { state }

  func render(_ state: String, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: "<p>\(state)</p>")
  }
}
