import CurlewLive
import CurlewScreens

/// A search for dogs as a page of an app: a search field, rows with a button, a filter and a form.
struct Dogs: Screen {
  enum Event: Sendable {
    case term(String)
    case search
    case sort(String)
    case details
    case like(String)
    case more
    case add(LiveQuery)
  }

  struct State: Equatable, Sendable {
    var term = ""
    var sort = "name"
    var hasDetails = false
    var isLoading = false
    var dogs: [String] = []
    var liked: Set<String> = []
    var problem = ""

    var sorted: [String] { sort == "name" ? dogs.sorted() : dogs.sorted().reversed() }
  }

  struct Added: Route { let address: String }

  var find: @Sendable (String) async throws -> [String] = { term in
    ["Akita", "Beagle", "Briard"].filter { $0.lowercased().contains(term.lowercased()) }
  }

  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .term(let text):
      state.term = text
      search(after: .milliseconds(500), &work, text)
    case .search: search(after: .zero, &work, state.term)
    case .sort(let order): state.sort = order
    case .details: state.hasDetails.toggle()
    case .like(let name): state.liked.formSymmetricDifference([name])
    case .more: state.dogs += state.dogs.isEmpty ? [] : ["More \(state.dogs.count)"]
    case .add(let fields):
      let name = fields["name"] ?? ""
      guard !name.isEmpty else {
        state.problem = "A dog needs a name."
        return
      }
      state.problem = ""
      let query: LiveQuery = ["name": name, "kind": fields["kind"]]
      work.go(to: Added(address: "/added\(query.text)"))
    }
  }

  private func search(after delay: Duration, _ work: inout Work<State>, _ term: String) {
    work.latest("search", after: delay) { [find] in
      try await find(term)
    } started: {
      $0.isLoading = true
    } finished: { state, result, _ in
      state.isLoading = false
      state.dogs = (try? result.get()) ?? []
    }
  }
}

struct DogsPage: LivePage {
  var screen = Dogs()
  let path = "/dogs"

  func events(for query: LiveQuery, in state: Dogs.State) -> [Dogs.Event] {
    [.term(query["q"] ?? ""), .sort(query["sort"] ?? "name"), .search]
  }

  func event(for action: LiveAction) -> Dogs.Event? {
    switch action.name {
    case "term": .term(action.value)
    case "sort": .sort(action.value)
    case "details": .details
    case "like": .like(action.value)
    case "more": .more
    case "add": .add(action.fields)
    default: nil
    }
  }

  func address(of state: Dogs.State) -> LiveAddress {
    LiveAddress([
      "q": state.term.isEmpty ? nil : state.term, "sort": state.sort == "name" ? nil : state.sort,
    ])
  }

  func title(of state: Dogs.State) -> String {
    state.term.isEmpty ? "Dogs" : "\(state.term) · Dogs"
  }

  func savedState(of state: Dogs.State) -> String? {
    state.liked.isEmpty ? nil : state.liked.sorted().joined(separator: ",")
  }

  func events(restoring kept: String, in state: Dogs.State) -> [Dogs.Event] {
    kept.split(separator: ",").map { .like(String($0)) }
  }

  func slots(of state: Dogs.State) -> [String: HTML] {
    ["count": HTML(text: "\(state.liked.count) liked")]
  }

  func render(_ state: Dogs.State, _ activity: ScreenActivity) -> HTML {
    let rows = state.sorted.map { name in
      let heart = state.liked.contains(name) ? "Unlike" : "Like"
      return """
        <li data-key="\(name)"><a href="/added?name=\(name)">\(name)</a> \
        <button name="like" value="\(name)" data-live-click="like" data-live-value="\(name)">\(heart)</button>
        """
    }
    let status = state.isLoading ? "Searching…" : "\(state.dogs.count) dogs"
    let options = ["name", "reverse"].map { order in
      "<option value=\"\(order)\"\(order == state.sort ? " selected" : "")>\(order == "name" ? "A to Z" : "Z to A")"
    }
    return HTML(
      trusted: """
        <form action="/dogs"><p id="search"><label for="q">Search</label>\
        <input id="q" name="q" value="\(HTML(text: state.term).text)" data-live-input="term">\
        <label>Order <select name="sort" data-live-input="sort">\(options.joined())</select></label>\
        <button>Find</button></p></form>
        <label><input type="checkbox" id="details" data-live-input="details"\(state.hasDetails ? " checked" : "")> Details</label>
        <p role="status" id="status">\(status)</p><ul id="rows">\(rows.joined())</ul>
        <p id="more" data-live-appear="more" data-live-value="\(state.dogs.count)">More</p>
        <form method="post" data-live-submit="add" id="add"><input type="hidden" name="live:submit" value="add">\
        <label>Name <input name="name"></label>\
        <label>Kind <select name="kind"><option value="">any<option value="small">Small</select></label>\
        <button>Add</button> <button type="button" disabled>Remove</button>\
        <p id="problem" role="alert">\(state.problem)</p></form>
        <noscript><p id="plain">Without JavaScript</p></noscript>
        """)
  }
}

/// A page that a form and links lead to.
struct AddedPage: LivePage {
  struct Added: Screen {
    var initial: String { "" }
    func handle(_ event: String, _ state: inout String, _ work: inout Work<String>) {
      state = event
    }
  }

  let screen = Added()
  let path = "/added"

  func events(for query: LiveQuery, in state: String) -> [String] {
    ["\(query["name"] ?? "") \(query["kind"] ?? "")"]
  }
  func event(for action: LiveAction) -> String? { nil }
  func address(of state: String) -> LiveAddress {
    let parts = state.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return LiveAddress(["name": parts[0], "kind": parts.last == "" ? nil : parts.last])
  }
  func title(of state: String) -> String { "Added" }
  func render(_ state: String, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: "<h1>\(HTML(text: state).text)</h1><a href=\"/dogs\">Dogs</a>")
  }
}
