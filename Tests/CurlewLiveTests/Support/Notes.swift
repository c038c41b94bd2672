import CurlewLive
import CurlewScreens
import Mustache
import TestSupport

/// A screen for tests: a text that can be written, and looked up on request.
struct Notes: Screen {
  enum Event: Sendable {
    case write(String)
    case look
  }

  struct State: Equatable, Sendable {
    var text = ""
    var found = ""
    var isLooking = false
  }

  var lookUp: @Sendable (String) async -> String = { "about \($0)" }

  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .write(let text):
      state.text = text
    case .look:
      let text = state.text
      work.latest("look") { [lookUp] in
        await lookUp(text)
      } started: { state in
        state.isLooking = true
      } finished: { state, result, _ in
        state.isLooking = false
        state.found = (try? result.get()) ?? ""
      }
    }
  }
}

/// The notes as a page: `/notes?q=text` shows a text and looks it up if it is not empty.
struct NotesPage: LivePage {
  let screen: Notes
  var presentable: @Sendable (Notes.State) -> Bool = { _ in false }
  var reloadDelay: Duration?
  var version = ""
  var willRender: @Sendable () -> Void = {}
  /// Whether browsers keep the text.
  var keepsText = false
  private let template: MustacheTemplate

  init(_ screen: Notes = Notes()) throws {
    self.screen = screen
    template = try MustacheTemplate(
      html:
        #"<input value="{{text}}"><p id="found">{{found}}</p>{{#isLooking}}<hr>{{/isLooking}}"#)
  }

  /// Creates a page whose lookup returns `found` when a gate opens.
  init(_ gate: Gate, _ found: String) throws {
    try self.init(
      Notes { _ in
        await gate.wait()
        return found
      })
  }

  var path: String { "/notes" }

  func events(for query: LiveQuery, in state: Notes.State) -> [Notes.Event] {
    let text = query["q"] ?? ""
    return text.isEmpty ? [.write("")] : [.write(text), .look]
  }

  func event(for action: LiveAction) -> Notes.Event? {
    switch action.name {
    case "write": .write(action.value)
    case "look": .look
    default: nil
    }
  }

  func address(of state: Notes.State) -> LiveAddress {
    LiveAddress(["q": state.text.isEmpty ? nil : state.text], isHistoryEntry: !state.isLooking)
  }

  func isPresentable(_ state: Notes.State) -> Bool { presentable(state) }

  func reloadDelay(of state: Notes.State) -> Duration? { reloadDelay }

  func savedState(of state: Notes.State) -> String? {
    keepsText && !state.text.isEmpty ? state.text : nil
  }

  func events(restoring kept: String, in state: Notes.State) -> [Notes.Event] { [.write(kept)] }

  func title(of state: Notes.State) -> String { state.text.isEmpty ? "Notes" : state.text }

  func render(_ state: Notes.State, _ activity: ScreenActivity) -> HTML {
    willRender()
    return HTML(template, state)
  }
}
