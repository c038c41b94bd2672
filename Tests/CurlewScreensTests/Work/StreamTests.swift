import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Work that delivers many values.
@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
  struct Feed: Screen {
    enum Event { case listen, stop, other }

    struct State: Equatable {
      var values: [Int] = []
      var end: String?
      var looked: [Int] = []
    }

    /// Sources with values from a test; each call of `make` creates a new source.
    final class Sources: Sendable {
      let open = Mutex<[AsyncThrowingStream<Int, any Error>.Continuation]>([])
      var count: Int { open.withLock { $0.count } }
      func make() -> AsyncThrowingStream<Int, any Error> {
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        open.withLock { $0.append(continuation) }
        return stream
      }
      func yield(_ value: Int) { open.withLock { $0.last }?.yield(value) }
      func finish(_ error: (any Error)? = nil) {
        open.withLock { $0.last }?.finish(throwing: error)
      }
    }

    let sources = Sources()
    let lookUp = PendingResponses<Int, Int>()
    var continuesWhileSuspended = false
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .stop: work.cancel("listen")
      case .other: break
      case .listen:
        work.follow("listen", continuesWhileSuspended: continuesWhileSuspended) { [sources] in
          sources.make()
        } each: { state, value, work in
          state.values.append(value)
          work.latest("look up \(value)") { [lookUp] in
            try await lookUp.next(for: value)
          } finished: { state, result, _ in
            state.looked.append((try? result.get()) ?? -1)
          }
        } ended: { state, result, _ in
          switch result {
          case .success: state.end = "over"
          case .failure(let error): state.end = "\(error)"
          }
        }
      }
    }
  }

  let screen = Feed()
  let probe: ScreenProbe<Feed>

  init() {
    probe = ScreenProbe(screen)
  }

  func yield(_ value: Int) {
    screen.sources.yield(value)
    probe.settle()
  }

  @Test func `each element changes the state`() {
    probe.send(.listen)
    yield(1)
    yield(2)
    #expect(probe.state.values == [1, 2])
    #expect(probe.states.map(\.values) == [[], [1], [1, 2]])
  }

  @Test func `element may start more work`() {
    probe.send(.listen)
    yield(1)
    screen.lookUp.reply(.success(10))
    probe.settle()
    #expect(probe.state.looked == [10])
  }

  @Test func `end and failure are told`() {
    probe.send(.listen)
    screen.sources.finish()
    probe.settle()
    #expect(probe.state.end == "over")
    probe.send(.listen)
    screen.sources.finish(Broken(words: "It broke."))
    probe.settle()
    #expect(probe.state.end?.contains("It broke.") == true)
    #expect(screen.sources.count == 2)
  }

  @Test func `cancelled stream delivers nothing more`() {
    probe.send(.listen)
    yield(1)
    probe.send(.stop)
    yield(2)
    #expect(probe.state.values == [1])
    #expect(probe.state.end == nil)
  }

  @Test func `stream is replaced by its name`() {
    probe.send(.listen)
    let first = screen.sources.open.withLock { $0[0] }
    probe.send(.listen)
    first.yield(1)
    yield(2)
    #expect(probe.state.values == [2])
  }

  @Test func `stream is made anew at each resume`() {
    probe.send(.listen)
    yield(1)
    for value in 2...3 {
      probe.suspend()
      yield(-value)
      probe.resume()
      yield(value)
    }
    #expect(probe.state.values == [1, 2, 3])
    #expect(screen.sources.count == 3)
    #expect(probe.state.end == nil, "it was cut, it has not ended")
  }

  @Test func `stream whose source is read once continues while suspended`() {
    var screen = Feed()
    screen.continuesWhileSuspended = true
    let probe = ScreenProbe(screen)
    probe.send(.listen)
    probe.suspend()
    screen.sources.yield(1)
    probe.settle()
    #expect(probe.state.values == [1])
    probe.runner.resume()
    screen.sources.yield(2)
    probe.settle()
    #expect(probe.state.values == [1, 2])
    #expect(screen.sources.count == 1)
    #expect(probe.state.looked == [])
    #expect(screen.lookUp.waiting == [1, 2], "what it started while suspended began at the resume")
  }

  @MainActor
  @Test func `elements change a models state on the main actor`() async {
    let screen = Feed()
    let model = ScreenModel(screen)
    let view = Task { await model.run() }
    model.send(.listen)
    await eventually { screen.sources.count == 1 }
    for value in 1...20 { screen.sources.yield(value) }
    await eventually { model.state.values.count == 20 }
    #expect(model.state.values == Array(1...20))
    view.cancel()
    await view.value
  }
}
