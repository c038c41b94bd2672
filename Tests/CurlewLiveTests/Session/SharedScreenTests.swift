import CurlewLive
import CurlewScreens
import CurlewTesting
import Hummingbird
import Synchronization
import TestSupport
import Testing

/// A screen that all browsers share.
@Suite(.timeLimit(.minutes(1)))
struct SharedScreenTests {
  @Test func `an action in one browser shows in all`() async throws {
    let page = BoardPage()
    try await withServer(page) { visitor in
      let (first, session) = try await visitor.connect(path: "/board", tab: name(1))
      let (second, _) = try await visitor.connect(path: "/board", tab: name(2))
      #expect(try await first.state().html.contains("0"))
      #expect(try await second.state().html.contains("0"))
      try await visitor.act("add", "3", in: session, path: "/board", tab: name(1))
      #expect(try await first.state { $0.acknowledged == 1 }.html.contains("sum: 3"))
      #expect(try await second.state { $0.html.contains("sum: 3") }.acknowledged == 0)
      // Later visitors see it at every address.
      #expect(try await visitor.document("/board?sum=9").contains("sum: 3"))
    }
  }

  @Test func `a state is rendered once for all`() async throws {
    let page = BoardPage()
    try await withServer(page) { visitor in
      var streams: [EventStream] = []
      var session = ""
      for number in 1...5 {
        let (drawn, shown) = try await visitor.open("/board")
        session = drawn
        let stream = try await visitor.listen(
          session: drawn, shown: shown, path: "/board", tab: name(number))
        _ = try await stream.hello()
        streams.append(stream)
      }
      #expect(page.rendered == ["0"])
      for number in 1...3 {
        try await visitor.act(
          "add", "1", in: session, number: number, path: "/board", tab: name(5))
        for stream in streams {
          let state = try await stream.state { $0.html.contains("sum: \(number)") }
          #expect(state.html == "<main id=\"main\"><p id=\"sum\">sum: \(number)</p></main>")
        }
      }
      // Each change renders the old and the new markup once, for any number of viewers.
      #expect(page.rendered == ["0", "0", "1", "1", "2", "2", "3"])
    }
  }

  @Test func `it rests while nobody is connected`() async throws {
    let page = BoardPage()
    try await withServer(page) { visitor in
      do {
        let (first, _) = try await visitor.connect(path: "/board", tab: name(1))
        #expect(await page.steps.next() == .begun)
        do {
          let (second, _) = try await visitor.connect(path: "/board", tab: name(2))
          _ = try await second.state()
        }
        _ = try await first.state()
      }
      #expect(await page.steps.next() == .cancelled)
      // The work has started once for the first two browsers, and starts again now.
      let (third, _) = try await visitor.connect(path: "/board", tab: name(3))
      #expect(await page.steps.next() == .begun)
      _ = try await third.state()
    }
  }

  private func name(_ number: Int) -> String { String(repeating: "0\(number)", count: 8) }
}

/// A sum to which every visitor can add.
private struct BoardPage: LivePage {
  struct Board: Screen {
    enum Event: Sendable { case add(Int) }

    struct State: Equatable, Sendable { var sum = 0 }

    let steps: Lookups

    var initial: State { State() }

    func begin(_ state: inout State, _ work: inout Work<State>) {
      work.latest("news") { [steps] in
        await steps.lookUp("news")
      } finished: { _, _, _ in
      }
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .add(let number): state.sum += number
      }
    }
  }

  private final class Renderings: Sendable {
    let texts = Mutex<[String]>([])
  }

  let path = "/board"
  let isShared = true
  let steps = Lookups()
  private let renderings = Renderings()

  /// The rendered sums, in order.
  var rendered: [String] { renderings.texts.withLock { $0 } }
  var screen: Board { Board(steps: steps) }

  func isPresentable(_ state: Board.State) -> Bool { true }
  func events(for query: LiveQuery, in state: Board.State) -> [Board.Event] {
    query["sum"].flatMap { Int($0) }.map { [.add($0)] } ?? []
  }
  func event(for action: LiveAction) -> Board.Event? {
    action.name == "add" ? Int(action.value).map { .add($0) } : nil
  }
  func address(of state: Board.State) -> LiveAddress { LiveAddress() }
  func title(of state: Board.State) -> String { "Board" }
  func render(_ state: Board.State, _ activity: ScreenActivity) -> HTML {
    // No other test has a piece with this name: debug builds count unchanged pieces by name, and render every 20th.
    let sum = LivePiece("board-sum", state.sum) { [renderings] sum in
      renderings.texts.withLock { $0.append("\(sum)") }
      return HTML(trusted: "<p id=\"sum\">sum: \(sum)</p>")
    }
    return HTML(trusted: "<main id=\"main\">\(sum.marker)</main>", pieces: [sum])
  }
}
