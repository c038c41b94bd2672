import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Hummingbird
import Testing

/// A page in all orders of its steps, and copies of it with a defect.
@Suite(.timeLimit(.minutes(2)))
struct PageExplorationTests {
  enum Defect: CaseIterable {
    /// The address of a new session and its saved state both contain an action.
    case actionTwice
    /// The result for an older text replaces that for a newer one.
    case olderResult
    /// A load that fails is shown as loading.
    case endlessLoad
  }

  /// Notes that are found by a text, and a counter.
  struct Notes: Screen {
    struct State: Equatable, Sendable {
      var text = ""
      var found = Loadable<[String]>.idle
      var count = 0
    }

    enum Event: Sendable { case text(String), add(Int), set(Int) }

    let defect: Defect?
    let find: @Sendable (String) async throws -> [String]
    var initial: State { State() }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .add(let number): state.count += number
      case .set(let number): state.count = number
      case .text(""):
        (state.text, state.found) = ("", .idle)
        work.cancel(name(of: ""))
      case .text(let text):
        state.text = text
        work.latest(name(of: text)) { [find] in
          try await find(text)
        } started: {
          $0.found.startLoading()
        } cancelled: {
          $0.found.cancelLoading()
        } finished: { [defect] state, result, _ in
          if defect == .endlessLoad, case .failure = result { return }
          state.found.finishLoading(with: result)
        }
      }
    }

    func loads(in state: State) -> [LoadStatus<Event>] {
      let (isLoading, failure) = (state.found.isLoading, state.found.failure)
      return [LoadStatus(name: name(of: state.text), isLoading: isLoading, failure: failure)]
    }

    private func name(of text: String) -> WorkID {
      defect == .olderResult ? "find \(text)" : "find"
    }
  }

  struct NotesPage: LivePage {
    let path = "/notes"
    let screen: Notes

    func event(for action: LiveAction) -> Notes.Event? {
      action.name == "add" ? .add(1) : .text(action.value)
    }
    func address(of state: Notes.State) -> LiveAddress {
      let count = state.count > 0 ? "\(state.count)" : nil
      return LiveAddress(["q": state.text.isEmpty ? nil : state.text, "count": count])
    }
    func events(for query: LiveQuery, in state: Notes.State) -> [Notes.Event] {
      [.text(query["q"] ?? ""), .set(query["count"].flatMap { Int($0) } ?? 0)]
    }
    func savedState(of state: Notes.State) -> String? {
      screen.defect == .actionTwice ? "\(state.count)" : nil
    }
    func events(restoring kept: String, in state: Notes.State) -> [Notes.Event] {
      [.add(Int(kept) ?? 0)]
    }
    func title(of state: Notes.State) -> String { "Notes" }
    func render(_ state: Notes.State, _ activity: ScreenActivity) -> HTML {
      let notes = state.found.latest ?? []
      return HTML(
        trusted: """
          <p id="f"><label>Text <input data-live-input="text" value="\(HTML(text: state.text).text)"></label></p>
          <ul id="notes">\(notes.map { "<li data-key=\"\($0)\">\($0)</li>" }.joined())</ul>
          <button data-live-click="add">Add</button> <b id="count">\(state.count)</b>
          """)
    }
  }

  private let found = PendingResponses { (text: String) in ["Note about \(text)"] }

  private func open(_ defect: Defect?) async throws -> PageProbe {
    let clock = TestClock(executor: TestExecutor())
    let router = Router()
    let screen = Notes(defect: defect) { [found] in try await found.next(for: $0) }
    router.add(NotesPage(screen: screen), clock: clock) { live in
      let head = "<title>\(live.title)</title>\(live.head.text)"
      return HTML(trusted: "<head>\(head)</head><body>\(live.content.text)</body>")
    }
    return try await PageProbe(router, "/notes", clock: clock)
  }

  private func exploration(of defect: Defect?, runs: Int = 20_000) async -> Exploration {
    await explore(
      try await open(defect),
      checking: [.finally { #expect($0.document.text("#count") == "1") }, .equalsNewVisit],
      steps: 5, runs: runs
    ) { page in
      try await page.type("Text", "m")
      try await page.click("Add")
      try await page.type("Text", "milk")
    }
  }

  @Test func `a page keeps its promises in each order`() async {
    let result = await exploration(of: nil, runs: 60)
    #expect(result.failure == nil && result.runs == 60)
  }

  @Test(arguments: Defect.allCases)
  func `each defect of a page is found`(defect: Defect) async throws {
    var found: Exploration?
    await withKnownIssue { found = await exploration(of: defect) }
    let result = try #require(found)
    #expect(result.failure != nil && result.order.count <= 5, "\(result.runs)")
  }

  @Test func `a script that ends in no order is reported`() async throws {
    var found: Exploration?
    await withKnownIssue {
      found = await explore(try await open(nil), steps: 1, runs: 4) { page in
        try await page.click("Delete")
      }
    }
    let failure = try #require(found?.failure)
    #expect(failure.hasPrefix("The script ends in no order: no button or link named 'Delete'"))
  }
}
