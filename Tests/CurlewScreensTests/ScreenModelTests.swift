import CurlewScreens
import CurlewTesting
import Observation
import Synchronization
import TestSupport
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ScreenModelTests {
  let responses = PendingResponses<String, [String]>()
  let clock = TestClock()
  let model: ScreenModel<Search<String>>

  init() {
    let responses = responses
    model = ScreenModel(Search { try await responses.next(for: $0) }, clock: clock)
  }

  /// Waits, on the main actor, for a state that the model's observers see.
  func state(where pauses: (Search<String>.State) -> Bool) async -> Search<String>.State {
    while !pauses(model.state) {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = model.state
        } onChange: {
          continuation.resume()
        }
      }
    }
    return model.state
  }

  @Test func `send changes the state before it returns`() {
    model.send(.term(" a "))
    #expect(model.state.text == " a ")
    model.send(.submit)
    #expect(model.state.isLoading)
  }

  @Test func `of many loads in one turn one calls its operation`() async {
    let calls = Count()
    let model = ScreenModel(
      Search<String>(debounce: .zero) { text in
        calls.add()
        return [text]
      })
    for number in 1...10_000 {
      model.send(.term("\(number)"))
      model.send(.submit)
    }
    while model.isWorking { await Task.yield() }
    #expect(model.state.results.latest == ["10000"])
    #expect(calls.value == 1)
  }

  @Test func `response reaches observers on the main actor`() async {
    model.send(.term("a"))
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(500))
    _ = await state { $0.isLoading }
    await eventually { !responses.waiting.isEmpty }
    responses.reply(.success(["1"]))
    #expect(await state { !$0.isLoading }.results == .content(["1"]))
  }

  @Test func `stored values reach observers on the main actor`() async {
    let detail = ScreenModel(
      Detail<Int, String, String>(source: Source(values: { _ in delayed(["stored", "current"]) })))
    await detail.send(.show(1)).finished()
    #expect(detail.state.content == .content("current"))
    await detail.send(.refresh).finished()
    #expect(detail.state.content == .content("current"))

    let feed = ScreenModel(
      Feed<Entry>(
        source: Source(values: { _ in delayed([Page([Entry(1)]), Page([Entry(1), Entry(2)])]) })))
    await feed.send(.load).finished()
    await feed.send(.refresh).finished()
    #expect(feed.state.items == [Entry(1), Entry(2)])

    let search = ScreenModel(Search<Int>(source: Source(values: { _ in delayed([[1], [1, 2]]) })))
    search.send(.term("a"))
    await search.send(.submit).finished()
    #expect(search.state.items == [1, 2])

    let paged = ScreenModel(
      PagedSearch<Entry>(
        listsAll: true,
        source: { _ in Source(values: { _ in delayed([Page([1]), Page([1, 2])]) }) }))
    await paged.send(.submit()).finished()
    await paged.send(.list(.refresh)).finished()
    #expect(paged.list.items == [1, 2])
  }

  /// A row that counts how often it is compared.
  private struct Row: Identifiable, Equatable {
    static let comparisons = Mutex(0)

    let id: Int
    var title = ""

    static func == (one: Row, other: Row) -> Bool {
      comparisons.withLock { $0 += 1 }
      return one.id == other.id && one.title == other.title
    }
  }

  @Test func `a view that reads one member is updated when that member changes`() async {
    let model = ScreenModel(
      Search<Row>(debounce: .zero) { text in [Row(id: 1, title: text)] }, clock: clock)
    /// Reads the model as a view does, which is updated by the next change of what it has read.
    @MainActor final class View {
      var updates = 0
      let body: @MainActor () -> Void

      init(_ body: @escaping @MainActor () -> Void) {
        self.body = body
        draw()
      }

      func draw() {
        withObservationTracking(body) {
          MainActor.assumeIsolated { self.update() }
        }
      }

      func update() {
        updates += 1
        Task { self.draw() }
      }
    }
    let rows = View { _ = model.items }
    let field = View { _ = model.text }
    let whole = View { _ = model.state }
    for text in [" ", "  ", "   ", "    ", "     "] {
      model.send(.term(text))
      await Task.yield()
    }
    #expect(rows.updates == 0)
    #expect(field.updates == 5 && whole.updates == 5)
    model.send(.term("a"))
    await Task.yield()
    await model.send(.submit).finished()
    #expect(rows.updates == 1)
    #expect(field.updates == 6)
  }

  @Test func `a change of the last of many rows compares them once`() {
    struct Table: Screen {
      let initial = (1...10_000).map { Row(id: $0) }

      func handle(_ event: Int, _ rows: inout [Row], _ work: inout Work<[Row]>) {
        rows[event].title = "new"
      }
    }
    let model = ScreenModel(Table())
    _ = model.state
    Row.comparisons.withLock { $0 = 0 }
    model.send(9_999)
    #expect(model.state.last?.title == "new")
    #expect(Row.comparisons.withLock { $0 } == 10_000)
  }

  @Test func `results with equal ids are shown once`() async {
    let model = ScreenModel(
      Search<Row>(debounce: .zero) { _ in [Row(id: 1, title: "a"), Row(id: 2), Row(id: 1)] },
      clock: clock)
    model.send(.term("a"))
    await model.send(.submit).finished()
    #expect(model.items == [Row(id: 1, title: "a"), Row(id: 2)])
  }

  @Test func `event sent by an observer is not overwritten`() {
    let model = model
    withObservationTracking {
      _ = model.state
    } onChange: {
      MainActor.assumeIsolated { _ = model.send(.term("second")) }
    }
    model.send(.term("first"))
    #expect(model.state.text == "second")
  }

  @Test func `end of the view stops the work and its return begins it anew`() async {
    let model = model
    let view = Task { await model.run() }
    model.send(.term("a"))
    model.send(.submit)
    await eventually { !responses.waiting.isEmpty }
    view.cancel()
    await view.value
    responses.reply(.success(["too late"]))
    let next = Task { await model.run() }
    await eventually { !responses.waiting.isEmpty }
    #expect(model.state.isLoading)
    #expect(responses.requested == ["a", "a"])
    responses.reply(.success(["1"]))
    #expect(await state { !$0.isLoading }.results == .content(["1"]))
    next.cancel()
  }

  @Test func `model that is dropped cancels its work`() async {
    let (cancelled, isCancelled) = AsyncStream<Void>.makeStream()
    let (started, isStarted) = AsyncStream<Void>.makeStream()
    var model: ScreenModel? = ScreenModel(
      Search<String> { _ in
        isStarted.finish()
        try await withTaskCancellationHandler {
          try await Task.sleep(for: .seconds(3_600))
        } onCancel: {
          isCancelled.finish()
        }
        return []
      })
    model?.send(.term("a"))
    model?.send(.submit)
    for await _ in started {}
    model = nil
    for await _ in cancelled {}
  }
}

/// Returns values that arrive one after the other, as a stored and a current value do.
private func delayed<Value: Sendable>(_ values: [Value]) -> AsyncStream<Dated<Value>> {
  AsyncStream { continuation in
    Task {
      for value in values {
        await Task.yield()
        continuation.yield(Dated(value, asOf: nil))
      }
      continuation.finish()
    }
  }
}
