import CurlewLive
import CurlewScreens

/// A text written in a room, `/draft?room=7`, and a number; they are not in the address.
struct Draft: Screen {
  enum Event: Sendable {
    case enter(String)
    case write(String)
    case add(Int)
  }

  struct State: Equatable, Sendable {
    var room = ""
    var text = ""
    var count = 0
  }

  let initial = State()

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .enter(let room): state.room = room
    case .write(let text): state.text = text
    case .add(let count): state.count += count
    }
  }
}

struct DraftPage: LivePage {
  let path = "/draft"
  let screen = Draft()

  func events(for query: LiveQuery, in state: Draft.State) -> [Draft.Event] {
    [.enter(query["room"] ?? "")]
  }
  func event(for action: LiveAction) -> Draft.Event? {
    switch action.name {
    case "write": .write(action.value)
    case "add": .add(1)
    default: nil
    }
  }
  func address(of state: Draft.State) -> LiveAddress { LiveAddress(["room": state.room]) }
  func title(of state: Draft.State) -> String {
    "\(state.room): \(state.text)" + (state.count > 0 ? "+\(state.count)" : "")
  }
  func savedState(of state: Draft.State) -> String? { "\(state.count) \(state.text)" }
  func events(restoring kept: String, in state: Draft.State) -> [Draft.Event] {
    let parts = kept.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return [.add(Int(parts[0]) ?? 0), .write(String(parts[1]))]
  }
  func render(_ state: Draft.State, _ activity: ScreenActivity) -> HTML {
    // Safe: the test writes only digits and letters.
    HTML(trusted: "<p id=\"text\">\(state.text)</p>")
  }
}

/// A number that all visitors share.
struct TallyPage: LivePage {
  struct Tally: Screen {
    struct State: Equatable, Sendable { var sum = 0 }

    let initial = State()

    func handle(_ event: Int, _ state: inout State, _ work: inout Work<State>) {
      state.sum += event
    }
  }

  let path = "/tally"
  let isShared = true
  let screen = Tally()

  func events(for query: LiveQuery, in state: Tally.State) -> [Int] { [] }
  func event(for action: LiveAction) -> Int? { Int(action.value) }
  func address(of state: Tally.State) -> LiveAddress { LiveAddress() }
  func title(of state: Tally.State) -> String { "tally: \(state.sum)" }
  func savedState(of state: Tally.State) -> String? { "\(state.sum)" }
  func events(restoring kept: String, in state: Tally.State) -> [Int] {
    Int(kept).map { [$0] } ?? []
  }
  func render(_ state: Tally.State, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: "<p id=\"sum\">\(state.sum)</p>")
  }
}
