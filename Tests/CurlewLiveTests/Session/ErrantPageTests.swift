import CurlewLive
import CurlewScreens
import CurlewTesting
import Hummingbird
import TestSupport
import Testing

/// A page whose screen never rests for one visitor.
@Suite(.timeLimit(.minutes(1)))
struct ErrantPageTests {
  /// Returns the name of a tab.
  private func name(_ number: Int) -> String { String(repeating: "\(number)", count: 32) }

  @Test func `a mistake ends one session and no other`() async throws {
    var limits = LiveLimits()
    limits.screenErrors = .endsScreen
    try await withServer(FlipPage(), limits: limits) { visitor in
      let (errant, session) = try await visitor.connect(path: "/flip", tab: name(1))
      let (other, otherSession) = try await visitor.connect(path: "/flip", tab: name(2))
      try await visitor.act("flip", in: otherSession, path: "/flip", tab: name(2))
      #expect(try await other.state { $0.acknowledged == 1 }.html.contains("1"))
      try await visitor.act("loop", in: session, path: "/flip", tab: name(1))
      // Its stream ends, and its session is gone.
      while try await errant.next() != nil {}
      #expect(
        try await visitor.act("flip", in: session, number: 2, path: "/flip", tab: name(1)) == 404)
      try await visitor.act("flip", in: otherSession, number: 2, path: "/flip", tab: name(2))
      #expect(try await other.state { $0.acknowledged == 2 }.html.contains("2"))
      // The tab begins another one under its name.
      let (again, _) = try await visitor.connect(session: session, path: "/flip", tab: name(1))
      #expect(try await again.state().html.contains("0"))
    }
  }
}

private struct FlipPage: LivePage {
  struct Flip: Screen {
    enum Event { case flip, loop }

    struct State: Equatable {
      var count = 0
      var isLooping = false
    }

    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      state.count += 1
      state.isLooping = event == .loop
    }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      if state.isLooping { state.count = 1 - state.count }
    }
  }

  let path = "/flip"
  let screen = Flip()

  func isPresentable(_ state: Flip.State) -> Bool { true }
  func events(for query: LiveQuery, in state: Flip.State) -> [Flip.Event] { [] }
  func address(of state: Flip.State) -> LiveAddress { LiveAddress() }
  func title(of state: Flip.State) -> String { "Flip" }
  func render(_ state: Flip.State, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: "<main id=\"main\">\(state.count)</main>")
  }
  func event(for action: LiveAction) -> Flip.Event? {
    switch action.name {
    case "flip": .flip
    case "loop": .loop
    default: nil
    }
  }
}
