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

  private let screen = Parent()
  private let probe: ScreenProbe<Parent>

  init() {
    probe = ScreenProbe(screen)
  }

  /// Performs a step of a scenario.
  ///
  /// - Events: those of the parent, as `open 1`, `sheet load`, `row 1 load`; `plain` is a part without an id; `stop sheet 1`
  ///   and `stop row 7` cancel a load by its name.
  /// - Time and responses: `wait 500` milliseconds; `reply text` to the oldest request, `late` replies to all; `fail 7`.
  /// - Expectations: `hasSheet`, `hasPlain`, `rows`, with texts and, of those that load, an ellipsis; the ids that were
  ///   `requested` and are `waiting`; and numbers.
  private func perform(_ word: String, _ words: [String]) throws -> String? {
    func id(_ index: Int = 0) throws -> Int { try #require(Int(words[index])) }
    switch word {
    case "open": probe.send(.open(try id()))
    case "close": probe.send(.close)
    case "sheet": probe.send(.sheet(try event(words[0])))
    case "add": probe.send(.add(try id()))
    case "remove": probe.send(.remove(try id()))
    case "move": probe.send(.move)
    case "row": probe.send(.row(try id(), try event(words[1])))
    case "plain": probe.send(.plain(words[0] == "on"))
    case "inPlain": probe.send(.inPlain(try event(words[0])))
    case "openAndClose": probe.send(.openAndClose(try id()))
    case "addAndRemove": probe.send(.addAndRemove(try id()))
    case "saveAndClose": probe.send(.saveAndClose)
    case "delete": probe.send(.delete(try id()))
    case "stop":
      let load = WorkID("load")
      probe.send(
        .stop(
          words[0] == "sheet"
            ? load.in(\Parent.State.sheet, id: try id(1))
            : load.in(\Parent.State.rows, id: try id(1))
        ))
    case "wait": probe.advance(by: .milliseconds(try id()))
    case "reply": reply(.success(words[0]))
    case "late": while !screen.responses.waiting.isEmpty { reply(.success("late")) }
    case "fail":
      screen.responses.reply(.failure(Broken()), for: try id())
      probe.settle()
    default: return try expectation(word)
    }
    return nil
  }

  private func event(_ word: String) throws -> Leaf.Event {
    try #require(["load": .load, "tick": .tick, "listen": .listen, "save": .save][word])
  }

  private func reply(_ result: Result<String, any Error>) {
    screen.responses.reply(result)
    probe.settle()
  }

  private func expectation(_ word: String) throws -> String {
    func text(_ leaves: [Leaf.State]) -> String {
      joined(leaves.map { "\($0.id)\($0.text)\($0.isLoading ? "…" : "")" })
    }
    func joined(_ texts: [String]) -> String {
      texts.isEmpty ? "nothing" : texts.joined(separator: " ")
    }
    switch word {
    case "hasSheet": return text(probe.state.sheet.map { [$0] } ?? [])
    case "hasPlain": return text(probe.state.plain.map { [$0.leaf] } ?? [])
    case "rows": return text(probe.state.rows)
    case "requested": return joined(screen.responses.requested.map { "\($0)" })
    case "waiting": return joined(screen.responses.waiting.map { "\($0)" })
    case "works": return "\(probe.runner.isWorking)"
    case "sleepers": return "\(probe.clock.sleepers)"
    case "writes": return "\(probe.runner.writes.count)"
    case "states": return "\(probe.states.count)"
    default: throw Scenario.UnknownWord(step: word)
    }
  }

  private static let scenarios = Scenario.all(
    """
    closing a sheet cancels its work
      open 1; sheet (load|tick|listen); close; works false; sleepers 0; late; wait 2000
      hasSheet nothing; rows nothing
    another sheet does not get the work of the one before
      open 1; sheet (load|tick|listen); open 2; works false; late; wait 2000; hasSheet 2
      sheet load; waiting 2; reply new; hasSheet 2new
    a parent can name the work of a sheet and of a row
      open 1; sheet load; add 7; row 7 load; stop sheet 1; works true; stop row 7; works false
    an event for a closed sheet does nothing
      sheet load; requested nothing; states 1
    a sheet that closes in the event that opened it starts its write only, without a result
      openAndClose 1; requested 1; sleepers 0; open 1; reply saved; hasSheet 1; works false
    a row that goes in the event that brought it starts its write only, without a result
      add 1; addAndRemove 2; requested 2; sleepers 0; add 2; reply saved; rows 1 2; works false
    a part without an id is gone when it is nil, and is otherwise the same
      plain on; inPlain load; plain on; reply 1; hasPlain 991; inPlain load; plain off; works false
      plain on; reply late; hasPlain 99
    a result reaches its row at any position
      add 1; add 2; add 3; row 1 load; row 2 load; row 3 load; move; remove 2; waiting 1 2 3
      reply one; reply two; reply three; rows 3three 1one; works false
    a row that goes takes its work with it
      add 1; add 2; row 1 (load|tick|listen); remove 1; works false; sleepers 0; add 1; late
      wait 2000; rows 2 1
    an event for a row that is not there does nothing
      add 1; row 7 load; requested nothing
    a list with one id twice does not crash
      add 1; add 1; row 1 load; reply one; rows 1one 1; row 1 load; remove 1; works false
    a write goes on without its sheet and its result is dropped
      open 1; saveAndClose; requested 1; works true; writes 1; open 1; reply saved; hasSheet 1
      works false; writes 0
    a write of the parent outlives the row that it names
      add 7; (row 7 load|works false); delete 7; fail -7; rows 7
    writes of a row that came again queue behind the old ones
      add 1; row 1 save; remove 1; add 1; row 1 save; requested 1; reply old; requested 1 1
      reply new; rows 1new
    """)

  @Test(arguments: scenarios) func `work of a part ends with the part`(scenario: Scenario) throws {
    try scenario.run(perform)
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// Creates a stream of a function's results; it ends when the function throws.
  init(_ next: @escaping @Sendable () async throws -> Element) where Element: Sendable {
    self.init(unfolding: { try? await next() })
  }
}
