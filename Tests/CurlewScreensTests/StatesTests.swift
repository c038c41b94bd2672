import CurlewScreens
import CurlewTesting
import Dispatch
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StatesTests {
  struct Counter: Screen {
    var initial: Int { 0 }
    func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) { state += event }
  }

  @Test func `every consumer gets the state now and the newest later`() async {
    let runner = Runner(Counter())
    runner.send(1)
    var first = runner.states.makeAsyncIterator()
    var second = runner.states.makeAsyncIterator()
    #expect(await first.next(isolation: nil) == 1)
    runner.send(1)
    runner.send(1)
    #expect(await first.next(isolation: nil) == 3)
    #expect(await second.next(isolation: nil) == 3)
    runner.stop()
    #expect(await first.next(isolation: nil) == nil)
    #expect(await second.next(isolation: nil) == nil)
  }

  @Test func `states stay on the actor that iterates them`() async {
    #expect(await Consumer().hops() == 0)
  }

  /// An actor that counts how often its work returns to it.
  private actor Consumer {
    final class Executor: SerialExecutor {
      let jobs = Atomic(0)
      private let queue = DispatchQueue(label: "consumer")

      func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns the number of hops that a hundred states take.
    func hops() async -> Int {
      let runner = Runner(Counter())
      var states = runner.states.makeAsyncIterator()
      let before = executor.jobs.load(ordering: .relaxed)
      for _ in 0..<100 {
        runner.send(1)
        _ = await states.next(isolation: self)
      }
      return executor.jobs.load(ordering: .relaxed) - before
    }
  }

  @Test func `consumer that waits is woken by an event`() async {
    let runner = Runner(Counter())
    let consumer = Task {
      var seen: [Int] = []
      for await state in runner.states { seen.append(state) }
      return seen
    }
    while runner.state < 1_000, !Task.isCancelled {
      runner.send(1)
      await Task.yield()
    }
    // The stream ends after its last state: stopping delivers pending states first.
    var last = runner.states.makeAsyncIterator()
    #expect(await last.next(isolation: nil) == 1_000)
    runner.stop()
    let seen = await consumer.value
    #expect(seen.last == 1_000)
    #expect(seen == seen.sorted() && Set(seen).count == seen.count)
  }

  @Test func `cancelling the consumer ends its states`() async {
    let runner = Runner(Counter())
    let consumer = Task {
      for await _ in runner.states {}
      return Task.isCancelled
    }
    consumer.cancel()
    #expect(await consumer.value)
  }

  @Test func `states for events end when events and work have ended`() async {
    let search = Search<String>(debounce: .milliseconds(1)) { [$0] }
    let events = AsyncStream<Search<String>.Event> { continuation in
      continuation.yield(.term("a"))
      continuation.finish()
    }
    var states: [Search<String>.State] = []
    for await state in search.states(for: events) { states.append(state) }
    #expect(states.last?.results == .content(["a"]))
  }

  /// Returns a search that runs until it is cancelled and then finishes a stream, and the events that start it.
  private func endless(
    _ cancelled: AsyncStream<Void>.Continuation, started: AsyncStream<Void>.Continuation
  ) -> (Search<String>, AsyncStream<Search<String>.Event>) {
    let search = Search<String> { _ in
      started.finish()
      try await withTaskCancellationHandler {
        try await Task.sleep(for: .seconds(3_600))
      } onCancel: {
        cancelled.finish()
      }
      return []
    }
    let (events, continuation) = AsyncStream<Search<String>.Event>.makeStream()
    continuation.yield(.term("a"))
    continuation.yield(.submit)
    return (search, events)
  }

  @Test func `leaving the loop cancels the work in flight`() async {
    let (cancelled, isCancelled) = AsyncStream<Void>.makeStream()
    let (started, isStarted) = AsyncStream<Void>.makeStream()
    let (search, events) = endless(isCancelled, started: isStarted)
    for await state in search.states(for: events) where state.isLoading {
      for await _ in started {}
      break
    }
    for await _ in cancelled {}
  }

  @Test func `cancelling the iterating task cancels the screen`() async {
    let (cancelled, isCancelled) = AsyncStream<Void>.makeStream()
    let (loading, isLoading) = AsyncStream<Void>.makeStream()
    let (started, isStarted) = AsyncStream<Void>.makeStream()
    let (search, events) = endless(isCancelled, started: isStarted)
    let view = Task {
      var last: Search<String>.State?
      for await state in search.states(for: events) {
        last = state
        if state.isLoading { isLoading.finish() }
      }
      return last
    }
    for await _ in loading {}
    for await _ in started {}
    view.cancel()
    for await _ in cancelled {}
    #expect(await view.value?.isLoading == true)
  }

  @Test func `storm of terms ends in the last ones response`() async {
    let count = Fuzz.size(50_000, full: 200_000)
    let search = Search<Int>(debounce: .milliseconds(20)) { [Int($0) ?? -1] }
    let (events, continuation) = AsyncStream<Search<Int>.Event>.makeStream()
    let storm = Task {
      for term in 1...count { continuation.yield(.term("\(term)")) }
      continuation.finish()
    }
    var last: Search<Int>.State?
    for await state in search.states(for: events) { last = state }
    await storm.value
    #expect(last?.results == .content([count]))
  }
}
