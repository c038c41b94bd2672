import CurlewScreens
import CurlewTesting
import Testing

/// Parts that are added and removed while they load.
@Suite(.timeLimit(.minutes(1)))
struct GonePartTests {
  /// Loads a text by name, ticks, and writes.
  struct Leaf: Screen {
    enum Event { case load, tick, listen, save }

    struct State: Equatable, Identifiable {
      var id: Int
      var text = ""
      var isLoading = false
    }

    let responses: PendingResponses<Int, String>
    let initial = State(id: 0)

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      let id = state.id
      switch event {
      case .load:
        work.latest("load") { [responses] in
          try await responses.next(for: id)
        } started: {
          $0.isLoading = true
        } finished: { state, result, _ in
          state.isLoading = false
          state.text += (try? result.get()) ?? "failed"
        }
      case .tick:
        work.timer("tick", after: .seconds(1)) { state, _ in state.text += "tick" }
      case .listen:
        work.follow("listen") { [responses] in
          AsyncThrowingStream { try await responses.next(for: id) }
        } each: { state, word, _ in
          state.text += word
        }
      case .save:
        work.write("save") { [responses] in
          try await responses.next(for: id)
        } finished: { state, result, _ in
          state.text += (try? result.get()) ?? "failed"
        }
      }
    }
  }

  struct Parent: Screen {
    enum Event {
      case open(Int), close, sheet(Leaf.Event)
      case add(Int), remove(Int), move, row(Int, Leaf.Event)
      case plain(Bool), inPlain(Leaf.Event)
      case openAndClose(Int), addAndRemove(Int), saveAndClose, stop(WorkID)
      case delete(Int)
    }

    struct State: Equatable {
      var sheet: Leaf.State?
      var rows: [Leaf.State] = []
      var plain: Plain?
    }

    /// A part without an id.
    struct Plain: Equatable {
      var leaf = Leaf.State(id: 99)
    }

    let responses = PendingResponses<Int, String>()
    var leaf: Leaf { Leaf(responses: responses) }
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .open(let id): state.sheet = Leaf.State(id: id)
      case .close: state.sheet = nil
      case .stop(let id): work.cancel(id)
      case .sheet(let event):
        work.scope(presented: \.sheet, &state) { leaf.handle(event, &$0, &$1) }
      case .add(let id): state.rows.append(Leaf.State(id: id))
      case .remove(let id): state.rows.removeAll { $0.id == id }
      case .move: state.rows.reverse()
      case .row(let id, let event):
        work.scope(each: \.rows, id: id, &state) { leaf.handle(event, &$0, &$1) }
      case .plain(let isThere): state.plain = isThere ? Plain() : nil
      case .inPlain(let event):
        work.scope(presented: \.plain, &state) { plain, work in
          work.scope(\.leaf) { leaf.handle(event, &plain.leaf, &$0) }
        }
      case .openAndClose(let id):
        state.sheet = Leaf.State(id: id)
        for event in [Leaf.Event.load, .save, .tick] {
          work.scope(presented: \.sheet, &state) { leaf.handle(event, &$0, &$1) }
        }
        state.sheet = nil
      case .addAndRemove(let id):
        state.rows.append(Leaf.State(id: id))
        for event in [Leaf.Event.load, .save, .tick, .listen] {
          work.scope(each: \.rows, id: id, &state) { leaf.handle(event, &$0, &$1) }
        }
        state.rows.removeLast()
      case .delete(let id):
        guard let index = state.rows.firstIndex(where: { $0.id == id }) else { return }
        let row = state.rows.remove(at: index)
        work.write(WorkID("delete").in(\State.rows, id: id)) { [responses] in
          try await responses.next(for: -id)
        } finished: { state, result, _ in
          if case .failure = result { state.rows.insert(Leaf.State(id: row.id), at: index) }
        }
      case .saveAndClose:
        work.scope(presented: \.sheet, &state) { leaf.handle(.save, &$0, &$1) }
        state.sheet = nil
      }
    }
  }

  let screen = Parent()
  let probe: ScreenProbe<Parent>

  init() {
    probe = ScreenProbe(screen)
  }

  func reply(_ text: String, to index: Int = 0) {
    screen.responses.reply(.success(text), to: index)
    probe.settle()
  }

  /// Replies to cancelled loads; a timer has none.
  func replyLate() {
    while !screen.responses.waiting.isEmpty { reply("late") }
  }

  // MARK: A sheet

  @Test(arguments: [Leaf.Event.load, .tick, .listen])
  func `closing a sheet cancels its work`(event: Leaf.Event) {
    probe.send(.open(1))
    probe.send(.sheet(event))
    probe.send(.close)
    #expect(!probe.runner.isWorking)
    #expect(probe.clock.sleepers == 0)
    replyLate()
    probe.advance(by: .seconds(2))
    #expect(probe.state == Parent.State())
  }

  @Test(arguments: [Leaf.Event.load, .tick, .listen])
  func `another sheet does not get the work of the one before`(event: Leaf.Event) {
    probe.send(.open(1))
    probe.send(.sheet(event))
    probe.send(.open(2))
    #expect(!probe.runner.isWorking)
    replyLate()
    probe.advance(by: .seconds(2))
    #expect(probe.state.sheet == Leaf.State(id: 2))
    probe.send(.sheet(.load))
    #expect(screen.responses.waiting.last == 2)
    reply("new", to: screen.responses.waiting.count - 1)
    #expect(probe.state.sheet?.text == "new")
  }

  @Test func `parent can name the work of a sheet and of a row`() {
    probe.send(.open(1))
    probe.send(.sheet(.load))
    probe.send(.add(7))
    probe.send(.row(7, .load))
    probe.send(.stop(WorkID("load").in(\Parent.State.sheet, id: 1)))
    #expect(probe.runner.isWorking)
    probe.send(.stop(WorkID("load").in(\Parent.State.rows, id: 7)))
    #expect(!probe.runner.isWorking)
  }

  @Test func `event for a closed sheet does nothing`() {
    probe.send(.sheet(.load))
    #expect(screen.responses.requested == [])
    #expect(probe.states.count == 1)
  }

  @Test func `sheet that closes in the event that opened it starts no load`() {
    probe.send(.openAndClose(1))
    #expect(screen.responses.requested == [1], "the write only")
    #expect(probe.clock.sleepers == 0)
    probe.send(.open(1))
    reply("saved")
    #expect(probe.state.sheet == Leaf.State(id: 1), "its result is not for the next one")
    #expect(!probe.runner.isWorking)
  }

  @Test func `row that goes in the event that brought it starts no load`() {
    probe.send(.add(1))
    probe.send(.addAndRemove(2))
    #expect(screen.responses.requested == [2], "the write only")
    #expect(probe.clock.sleepers == 0)
    probe.send(.add(2))
    reply("saved")
    #expect(probe.state.rows == [Leaf.State(id: 1), Leaf.State(id: 2)])
    #expect(!probe.runner.isWorking)
  }

  @Test func `part without an id is gone when it is nil`() {
    probe.send(.plain(true))
    probe.send(.inPlain(.load))
    probe.send(.plain(true))
    reply("1")
    #expect(probe.state.plain?.leaf.text == "1", "nothing tells the second from the first")
    probe.send(.inPlain(.load))
    probe.send(.plain(false))
    #expect(!probe.runner.isWorking)
    probe.send(.plain(true))
    reply("late")
    #expect(probe.state.plain == Parent.Plain())
  }

  // MARK: Rows

  @Test func `result reaches its row wherever it is`() {
    for id in 1...3 { probe.send(.add(id)) }
    for id in 1...3 { probe.send(.row(id, .load)) }
    probe.send(.move)
    probe.send(.remove(2))
    #expect(screen.responses.waiting == [1, 2, 3])
    reply("one")
    reply("two")
    reply("three")
    #expect(probe.state.rows.map(\.id) == [3, 1])
    #expect(probe.state.rows.map(\.text) == ["three", "one"])
    #expect(!probe.runner.isWorking)
  }

  @Test(arguments: [Leaf.Event.load, .tick, .listen])
  func `row that goes takes its work with it`(event: Leaf.Event) {
    probe.send(.add(1))
    probe.send(.add(2))
    probe.send(.row(1, event))
    probe.send(.remove(1))
    #expect(!probe.runner.isWorking)
    #expect(probe.clock.sleepers == 0)
    probe.send(.add(1))
    replyLate()
    probe.advance(by: .seconds(2))
    #expect(probe.state.rows == [Leaf.State(id: 2), Leaf.State(id: 1)])
  }

  @Test func `event for a row that is not there does nothing`() {
    probe.send(.add(1))
    probe.send(.row(7, .load))
    #expect(screen.responses.requested == [])
  }

  @Test func `list with one id twice does not crash`() {
    for _ in 1...2 { probe.send(.add(1)) }
    probe.send(.row(1, .load))
    reply("one")
    #expect(probe.state.rows.map(\.text) == ["one", ""])
    probe.send(.row(1, .load))
    probe.send(.remove(1))
    #expect(!probe.runner.isWorking)
  }

  // MARK: Writes

  @Test func `write goes on without its sheet and its result is dropped`() {
    probe.send(.open(1))
    let saved = probe.send(.saveAndClose)
    #expect(screen.responses.requested == [1])
    #expect(probe.runner.isWorking)
    #expect(probe.runner.writes.count == 1)
    probe.send(.open(1))
    reply("saved")
    #expect(probe.state.sheet == Leaf.State(id: 1))
    #expect(!probe.runner.isWorking)
    #expect(probe.runner.writes.count == 0)
    withExtendedLifetime(saved) {}
  }

  @Test(arguments: [false, true])
  func `write of the parent outlives the row that it names`(isLoading: Bool) {
    probe.send(.add(7))
    if isLoading { probe.send(.row(7, .load)) }
    probe.send(.delete(7))
    screen.responses.reply(.failure(Broken()), for: -7)
    probe.settle()
    #expect(probe.state.rows == [Leaf.State(id: 7)])
  }

  @Test func `writes of a row that came again queue behind the old ones`() {
    probe.send(.add(1))
    probe.send(.row(1, .save))
    probe.send(.remove(1))
    probe.send(.add(1))
    probe.send(.row(1, .save))
    #expect(screen.responses.requested == [1], "one after the other")
    reply("old")
    #expect(screen.responses.requested == [1, 1])
    reply("new")
    #expect(probe.state.rows.map(\.text) == ["new"])
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// Creates a stream of a function's results; it ends when the function throws.
  init(_ next: @escaping @Sendable () async throws -> Element) where Element: Sendable {
    self.init(unfolding: { try? await next() })
  }
}
