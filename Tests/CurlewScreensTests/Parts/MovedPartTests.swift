import CurlewScreens
import CurlewTesting
import Testing

/// A part that changes its own id keeps its work.
@Suite(.timeLimit(.minutes(1))) struct MovedPartTests {
  /// A draft that gets its id from the server.
  struct Draft: Screen {
    struct State: Equatable, Identifiable, Sendable {
      var id: String
      var text = ""
      var begun = 0
      var changes = 0
      var inner: Inner?
    }

    struct Inner: Equatable, Identifiable, Sendable {
      var id = 0
      var text = ""
    }

    enum Event: Sendable {
      case save, watch, preview, like, open, rename(String)
    }

    let server: PendingResponses<String, String>
    var initial: State { State(id: "") }

    func begin(_ state: inout State, _ work: inout Work<State>) { state.begun += 1 }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      state.changes = min(state.changes + 1, 1_000)
      if state.changes < 1_000 { state.changes = 1_000 }
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .save:
        work.latest("save") {
          try await server.next(for: "save")
        } finished: { state, result, work in
          guard case .success(let id) = result else { return }
          state.id = id
          work.latest("check") {
            try await server.next(for: "check")
          } finished: { state, result, _ in
            state.text += (try? result.get()) ?? "?"
          }
        }
      case .watch:
        work.latest("watch") {
          try await server.next(for: "watch")
        } finished: { state, result, _ in
          state.text += (try? result.get()) ?? "?"
        }
      case .preview:
        work.timer("preview", after: .seconds(1)) { state, _ in state.text += "seen" }
      case .like:
        work.write("like") {
          try await server.next(for: "like")
        } finished: { state, result, _ in
          state.text += (try? result.get()) ?? "?"
        }
      case .open:
        state.inner = Inner()
        work.scope(presented: \.inner, &state) { inner, work in
          work.latest("inner") {
            try await server.next(for: "inner")
          } finished: { inner, result, work in
            inner.id += 1
            inner.text += (try? result.get()) ?? "?"
            work.latest("inner") {
              try await server.next(for: "inner")
            } finished: { inner, result, _ in
              inner.text += (try? result.get()) ?? "?"
            }
          }
        }
      case .rename(let id): state.id = id
      }
    }
  }

  struct Drafts: Screen {
    struct State: Equatable, Sendable {
      var rows: [Draft.State] = [.init(id: "other"), .init(id: "draft")]
    }

    enum Event: Sendable {
      case row(String, Draft.Event)
      case remove(String)
      case swap
    }

    let row: Draft
    let initial = State()
    var parts: [Part<State, Event>] { [Part(each: \.rows, row, event: Event.row)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .row(let id, let event):
        work.scope(each: \.rows, id: id, &state) { row.handle(event, &$0, &$1) }
      case .remove(let id): state.rows.removeAll { $0.id == id }
      case .swap: state.rows.swapAt(0, 1)
      }
    }
  }

  /// The same parts, one level deeper.
  struct Boxed: Screen {
    struct State: Equatable, Sendable { var drafts = Drafts.State() }

    let drafts: Drafts
    let initial = State()
    var parts: [Part<State, Drafts.Event>] { [Part(\.drafts, drafts) { $0 }] }

    func handle(_ event: Drafts.Event, _ state: inout State, _ work: inout Work<State>) {
      work.scope(\.drafts) { drafts.handle(event, &state.drafts, &$0) }
    }
  }

  let server = PendingResponses<String, String>()
  let probe: ScreenProbe<Boxed>

  init() { probe = ScreenProbe(Boxed(drafts: Drafts(row: Draft(server: server)))) }

  var row: Draft.State? { probe.state.drafts.rows.first { $0.id != "other" } }

  func reply(_ text: String, for request: String) {
    server.reply(.success(text), for: request)
    probe.settle()
  }

  @Test func `work that is started with the new id runs`() {
    probe.send(.row("draft", .save))
    reply("7", for: "save")
    #expect(row?.id == "7")
    #expect(server.waiting == ["check"])
    reply("checked", for: "check")
    #expect(row?.text == "checked")
  }

  @Test func `work that runs follows`() {
    probe.send(.row("draft", .watch))
    probe.send(.row("draft", .preview))
    probe.send(.row("draft", .like))
    probe.send(.row("draft", .save))
    reply("7", for: "save")
    probe.send(.swap)
    reply("a", for: "watch")
    reply("b", for: "like")
    probe.advance(by: .seconds(1))
    #expect(row?.text == "abseen")
    #expect(row?.begun == 1, "it is the same part")
    #expect(!probe.runner.isWorking || server.waiting == ["check"])
  }

  @Test func `new work replaces what followed`() {
    probe.send(.row("draft", .watch))
    probe.send(.row("draft", .rename("7")))
    probe.send(.row("7", .watch))
    #expect(server.waiting.count == 2)
    reply("old", for: "watch")
    #expect(row?.text == "")
    reply("new", for: "watch")
    #expect(row?.text == "new")
  }

  @Test func `writes stay in order`() {
    probe.send(.row("draft", .like))
    probe.send(.row("draft", .rename("7")))
    probe.send(.row("7", .like))
    #expect(server.requested == ["like"], "the second one waits for the first")
    reply("a", for: "like")
    reply("b", for: "like")
    #expect(row?.text == "ab")
  }

  @Test func `removed parts work ends under its new id`() {
    probe.send(.row("draft", .watch))
    probe.send(.row("draft", .rename("7")))
    probe.send(.remove("7"))
    #expect(!probe.runner.isWorking)
    let cancelled = probe.records.compactMap { _, record in
      if case .work(let id, .cancelled, _) = record { "\(id)" } else { String?.none }
    }
    #expect(cancelled.last == "drafts.rows[7].watch")
    #expect(probe.steps.last == .cancelled)
  }

  @Test func `part of a moved part follows`() {
    probe.send(.row("draft", .open))
    probe.send(.row("draft", .rename("7")))
    reply("a", for: "inner")
    #expect(row?.inner?.text == "a")
    #expect(row?.inner?.id == 1)
    probe.send(.row("7", .rename("8")))
    reply("b", for: "inner")
    #expect(row?.inner?.text == "ab")
    probe.send(.remove("8"))
    #expect(!probe.runner.isWorking)
  }

  @Test func `part that takes anothers id takes its place`() {
    probe.send(.row("other", .watch))
    probe.send(.row("draft", .watch))
    probe.send(.row("draft", .rename("other")))
    #expect(server.waiting.count == 2)
    probe.send(.remove("other"))
    #expect(!probe.runner.isWorking)
    #expect(probe.state.drafts.rows.isEmpty)
  }
}

/// Parts whose position changes while their work is about to start.
@Suite(.timeLimit(.minutes(1))) struct MovedAtOnceTests {
  struct Row: Screen {
    struct State: Equatable, Identifiable, Sendable {
      var id: Int
      var value = Loadable<Int>.idle
      var renamesTo: Int?
    }

    enum Event: Sendable { case load, save(Int), loadLater, rename(Int) }

    let responses: PendingResponses<String, Int>
    var initial: State { State(id: 0) }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      if let id = state.renamesTo { (state.id, state.renamesTo) = (id, nil) }
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .load:
        state.renamesTo = state.id + 10
        load(after: .zero, &work)
      case .loadLater: load(after: .seconds(1), &work)
      case .rename(let id): state.id = id
      case .save(let id):
        work.write("save") {
          try await responses.next(for: "save")
        } started: {
          $0.id = id
        } finished: { state, result, _ in
          state.value.startLoading()
          state.value.finishLoading(with: result)
        }
      }
    }

    private func load(after delay: Duration, _ work: inout Work<State>) {
      work.latest("load", after: delay, while: { $0.value.isLoading || $0.id == 1 }) {
        try await responses.next(for: "load")
      } started: {
        if $0.id != 3 { $0.value.startLoading() }
      } cancelled: {
        $0.value.cancelLoading()
      } finished: { state, result, _ in
        state.value.finishLoading(with: result)
      }
    }
  }

  struct Rows: Screen {
    enum Event: Sendable { case row(Int, Row.Event), takeOver }
    let row: Row
    let initial = [Row.State(id: 1), Row.State(id: 2)]
    var parts: [Part<[Row.State], Event>] { [Part(each: \.self, row, event: Event.row)] }

    func handle(_ event: Event, _ state: inout [Row.State], _ work: inout Work<[Row.State]>) {
      switch event {
      case .row(let id, let event):
        work.scope(each: \.self, id: id, &state) { row.handle(event, &$0, &$1) }
      case .takeOver:
        state.removeAll { $0.id == 2 }
        work.scope(each: \.self, id: 1, &state) { row.handle(.rename(2), &$0, &$1) }
      }
    }
  }

  let responses = PendingResponses<String, Int>()
  let probe: ScreenProbe<Rows>

  init() { probe = ScreenProbe(Rows(row: Row(responses: responses))) }

  @Test func `load of a part that moves in the same change starts`() {
    probe.send(.row(1, .load))
    #expect(probe.state[0].id == 11)
    #expect(responses.waiting == ["load"])
    responses.reply(.success(7))
    probe.settle()
    #expect(probe.state[0].value == .content(7))
  }

  @Test func `write that moves its part stays its write`() {
    probe.send(.row(1, .save(9)))
    #expect(probe.state[0].id == 9)
    responses.reply(.success(7))
    probe.settle()
    #expect(probe.state[0].value == .content(7))
  }

  @Test func `part that takes the id of a removed one is not told of its end`() {
    probe.send(.row(1, .loadLater))
    probe.send(.row(2, .loadLater))
    probe.advance(by: .seconds(1))
    #expect(responses.waiting.count == 2)
    probe.send(.takeOver)
    #expect(probe.state.map(\.id) == [2])
    #expect(probe.state[0].value.isLoading, "its own load goes on")
    responses.reply(.success(7), to: 0)
    probe.settle()
    #expect(probe.state[0].value == .content(7))
  }

  @Test func `load that nothing awaits when its delay ends does not start`() {
    probe.send(.row(2, .loadLater))
    probe.send(.row(2, .rename(3)))
    probe.advance(by: .seconds(1))
    #expect(responses.waiting.isEmpty)
    #expect(!probe.runner.isWorking)
  }
}
