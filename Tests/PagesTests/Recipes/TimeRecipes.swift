import CurlewScreens
import CurlewTesting
import Testing

/// The recipes of Screens.md about time, compiled and run.
@Suite("The recipes about time", .timeLimit(.minutes(1)))
struct TimeRecipes {
  nonisolated struct Failed: Error {}

  // MARK: Throttle

  nonisolated struct Draft: Screen {
    struct State: Equatable {
      var text = ""
      var saved = ""
      var isPausing = false
    }

    let save: @Sendable (String) async throws -> Void
    let initial = State()

    func handle(_ text: String, _ state: inout State, _ work: inout Work<State>) {
      state.text = text
      saveUnlessPausing(&state, &work)
    }

    private func saveUnlessPausing(_ state: inout State, _ work: inout Work<State>) {
      guard !state.isPausing, state.text != state.saved else { return }
      state.isPausing = true
      state.saved = state.text
      work.write("save") { [text = state.text] in try await save(text) }
      work.timer("pause", after: .seconds(1)) { state, work in
        state.isPausing = false
        saveUnlessPausing(&state, &work)
      }
    }
  }

  @Test func `draft is saved at once then once a second`() {
    let responses = PendingResponses<String, Void>()
    let probe = ScreenProbe(Draft { try await responses.next(for: $0) })
    for text in ["a", "ab", "abc"] { probe.send(text) }
    #expect(responses.requested == ["a"])
    responses.reply(.success(()))
    probe.advance(by: .seconds(1))
    responses.reply(.success(()))
    probe.advance(by: .seconds(5))
    #expect(responses.requested == ["a", "abc"], "the newest, and not again")
    #expect(probe.clock.sleepers == 0)
  }

  // MARK: Sampling

  nonisolated struct Gauge: Screen {
    struct State: Equatable {
      var shown: Int?
      @Unobserved var newest: Int?
    }

    let values: @Sendable () -> AsyncStream<Int>
    let initial = State()

    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
      work.follow("values") {
        values()
      } each: { state, value, _ in
        state.newest = value
      }
      sample(&work)
    }

    private func sample(_ work: inout Work<State>) {
      work.timer("sample", after: .seconds(1)) { state, work in
        state.shown = state.newest
        sample(&work)
      }
    }
  }

  @Test func `gauge shows the newest value once a second`() {
    let (values, source) = AsyncStream<Int>.makeStream()
    let probe = ScreenProbe(Gauge { values })
    probe.send(())
    for value in 1...100 { source.yield(value) }
    probe.advance(by: .milliseconds(900))
    #expect(probe.states.count == 1, "the values alone are no new states")
    probe.advance(by: .milliseconds(100))
    source.yield(101)
    probe.advance(by: .seconds(3))
    #expect(probe.states.map(\.shown) == [nil, 100, 101])
  }

  // MARK: Merged sources

  nonisolated struct Prices: Screen {
    struct State: Equatable {
      var newest: [String: Int] = [:]
      var closed: [String] = []
    }

    let markets: [String]
    let prices: @Sendable (String) async throws -> AsyncStream<Int>
    let initial = State()

    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
      for market in markets {
        work.follow("prices \(market)") {
          try await prices(market)
        } each: { state, price, _ in
          state.newest[market] = price
        } ended: { state, _, _ in
          state.closed.append(market)
        }
      }
    }
  }

  @Test func `prices of two markets come together`() {
    let (north, northern) = AsyncStream<Int>.makeStream()
    let probe = ScreenProbe(
      Prices(markets: ["north", "south"]) { market in
        if market == "south" { throw Failed() }
        return north
      })
    probe.send(())
    northern.yield(3)
    northern.yield(4)
    probe.settle()
    #expect(probe.state == .init(newest: ["north": 4], closed: ["south"]))
    northern.finish()
    probe.settle()
    #expect(probe.state.closed == ["south", "north"])
  }

  // MARK: Polling

  nonisolated struct Status: Screen {
    let look: @Sendable () async throws -> String
    let initial: Loadable<String> = .idle

    func handle(
      _ event: Void, _ state: inout Loadable<String>, _ work: inout Work<Loadable<String>>
    ) {
      poll(failures: 0, &work)
    }

    private func poll(failures: Int, _ work: inout Work<Loadable<String>>) {
      work.latest("look") {
        try await look()
      } started: { state in
        if state == .idle { state.startLoading() }
      } finished: { state, result, work in
        state.finishLoading(with: result)
        let failures = state.failure == nil ? 0 : failures + 1
        let pause = Duration.seconds(min(5 << min(failures, 4), 60))
        work.timer("pause", after: pause) { _, work in poll(failures: failures, &work) }
      }
    }
  }

  @Test func `status is polled more slowly while it fails`() {
    let responses = PendingResponses<String, String>()
    let probe = ScreenProbe(Status { try await responses.next(for: "") })
    probe.send(())
    for (result, pause) in [
      (.success("well"), 5), (.failure(Failed()), 10), (.failure(Failed()), 20),
      (.failure(Failed()), 40), (.failure(Failed()), 60), (.failure(Failed()), 60),
      (.success("well again"), 5),
    ] as [(Result<String, any Error>, Int)] {
      #expect(responses.waiting.count == 1)
      responses.reply(result)
      probe.advance(by: .seconds(pause) - .milliseconds(1))
      #expect(responses.waiting.isEmpty)
      #expect(!probe.runner.isWorking, "a pause is no work")
      probe.advance(by: .milliseconds(1))
    }
    #expect(probe.state == .content("well again"))
    #expect(probe.states.contains { $0.failure != nil && $0.latest == "well" })
  }

  // MARK: Timeout

  nonisolated struct Impatient: Screen {
    let load: @Sendable () async throws -> String
    let initial: Loadable<String> = .idle

    func handle(
      _ event: Void, _ state: inout Loadable<String>, _ work: inout Work<Loadable<String>>
    ) {
      work.latest("load") {
        try await load()
      } started: {
        $0.startLoading()
      } finished: { state, result, work in
        work.cancel("limit")
        state.finishLoading(with: result)
      }
      work.timer("limit", after: .seconds(10)) { state, work in
        work.cancel("load")
        state = .failed(LoadFailure(message: "This takes too long."), last: state.latest)
      }
    }
  }

  @Test func `load that takes too long fails`() {
    let responses = PendingResponses<String, String>()
    let probe = ScreenProbe(Impatient { try await responses.next(for: "") })
    probe.send(())
    responses.reply(.success("soon"))
    probe.settle()
    #expect(probe.state == .content("soon"))
    #expect(probe.clock.sleepers == 0)
    probe.send(())
    probe.advance(by: .seconds(10))
    #expect(probe.state == .failed(LoadFailure(message: "This takes too long."), last: "soon"))
    responses.reply(.success("late"))
    probe.settle()
    #expect(probe.state.failure != nil)
  }

  // MARK: Retry

  nonisolated struct Stubborn: Screen {
    let load: @Sendable () async throws -> String
    let initial: Loadable<String> = .idle

    /// The view appears, or the user presses "Try again".
    func handle(
      _ event: Void, _ state: inout Loadable<String>, _ work: inout Work<Loadable<String>>
    ) {
      state.startLoading()
      attempt(1, &work)
    }

    private func attempt(_ number: Int, _ work: inout Work<Loadable<String>>) {
      work.latest("load", after: .seconds(number - 1)) {
        try await load()
      } finished: { state, result, work in
        if case .failure = result, number < 3 {
          attempt(number + 1, &work)
        } else {
          state.finishLoading(with: result)
        }
      }
    }
  }

  @Test func `load is tried three times then left to the user`() {
    let responses = PendingResponses<String, String>()
    let probe = ScreenProbe(Stubborn { try await responses.next(for: "") })
    for _ in 1...2 {
      probe.send(())
      for pause in 1...3 {
        #expect(probe.state.isLoading)
        #expect(responses.waiting.count == 1)
        responses.reply(.failure(Failed()))
        probe.advance(by: .seconds(pause))
      }
      #expect(probe.state.failure != nil)
      #expect(responses.waiting.isEmpty)
    }
    probe.send(())
    responses.reply(.success("at last"))
    probe.settle()
    #expect(probe.state == .content("at last"))
    #expect(responses.requested.count == 7)
  }
}
