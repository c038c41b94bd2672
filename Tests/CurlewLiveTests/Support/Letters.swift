import CurlewLive
import CurlewScreens

/// A screen for tests of forms: it sends a letter and counts the sent letters.
struct Letters: Screen {
  enum Event: Sendable {
    case write(String)
    case send(LiveQuery)
  }

  struct State: Equatable, Sendable {
    var text = ""
    var problem = ""
    var isSending = false
    var sent: [String] = []
  }

  struct Sent: Route {
    let address: String
  }

  var deliver: @Sendable (String) async throws -> Void = { _ in }

  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .write(let text): state.text = text
    case .send(let fields):
      let text = fields["text"] ?? state.text
      state.text = text
      guard !text.isEmpty else {
        state.problem = "Write something."
        return
      }
      work.write("send") { [deliver] in
        try await deliver(text)
      } started: {
        $0.isSending = true
      } finished: { state, result, work in
        state.isSending = false
        guard case .success = result else {
          state.problem = "It came back."
          return
        }
        state.sent.append(text)
        if text != "stay" { work.go(to: Sent(address: "/letters?sent=\(state.sent.count)")) }
      }
    }
  }
}

/// The letters as a page, with their number in the frame.
struct LettersPage: LivePage {
  var screen = Letters()
  var form = ""
  let path = "/letters"

  func events(for query: LiveQuery, in state: Letters.State) -> [Letters.Event] {
    query["text"].map { [.write($0)] } ?? []
  }

  func event(for action: LiveAction) -> Letters.Event? {
    switch action.name {
    case "write": .write(action.value)
    case "send": .send(action.fields)
    default: nil
    }
  }

  func address(of state: Letters.State) -> LiveAddress { LiveAddress() }

  func title(of state: Letters.State) -> String { "Letters" }

  func slots(of state: Letters.State) -> [String: HTML] {
    state.text.isEmpty ? [:] : ["length": HTML(text: "\(state.text.count) <")]
  }

  func render(_ state: Letters.State, _ activity: ScreenActivity) -> HTML {
    HTML(
      trusted: """
        <p id="text">\(HTML(text: state.text).text)</p><p id="problem">\(state.problem)</p>\
        <p id="sent">\(state.sent.count)</p>\(state.isSending ? "<hr>" : "")\(form)
        """)
  }
}
