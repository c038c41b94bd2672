import CurlewScreens
import CurlewTesting
import Testing

/// Streams that are made again after they have ended.
@Suite(.timeLimit(.minutes(1)))
struct ReconnectTests {
  private struct Broken: Error {}

  private struct Ticker: Screen {
    enum Event { case listen, stop }

    struct State: Equatable {
      var values: [Int] = []
      var ends: [Bool] = []
    }

    let sources = StreamTests.Feed.Sources()
    var stopsAtItsEnd = false
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      guard event == .listen else { return work.cancel("ticker") }
      let (sources, stopsAtItsEnd) = (sources, stopsAtItsEnd)
      work.follow("ticker", reconnecting: .seconds(5) ... .seconds(60)) {
        sources.make()
      } each: { state, value, _ in
        state.values.append(value)
      } ended: { state, result, work in
        let isEnd = (try? result.get()) != nil
        state.ends.append(isEnd)
        if isEnd, stopsAtItsEnd { work.cancel("ticker") }
      }
    }
  }

  private let screen: Ticker
  private let probe: ScreenProbe<Ticker>

  init() {
    screen = Ticker(stopsAtItsEnd: true)
    probe = ScreenProbe(screen)
    probe.send(.listen)
  }

  private func fail() {
    screen.sources.finish(Broken())
    probe.settle()
  }

  private func advance(_ seconds: Int) { probe.advance(by: .seconds(seconds)) }

  @Test func `pauses grow up to the longest`() {
    for (index, pause) in [5, 10, 20, 40, 60, 60].enumerated() {
      fail()
      advance(pause - 1)
      #expect(screen.sources.count == index + 1)
      advance(1)
      #expect(screen.sources.count == index + 2)
    }
    #expect(probe.state.ends == [false, false, false, false, false, false])
  }

  @Test func `after an element the first pause comes again`() {
    fail()
    advance(5)
    fail()
    advance(10)
    screen.sources.yield(1)
    probe.settle()
    fail()
    advance(5)
    #expect(screen.sources.count == 4)
    screen.sources.yield(2)
    probe.settle()
    #expect(probe.state.values == [1, 2])
  }

  @Test func `a suspended screen does not reconnect`() {
    fail()
    probe.runner.suspend()
    advance(600)
    #expect(screen.sources.count == 1)
    probe.runner.resume()
    probe.settle()
    #expect(screen.sources.count == 2)
  }

  @Test func `a stream that is cancelled does not reconnect`() {
    fail()
    probe.send(.stop)
    advance(600)
    #expect(screen.sources.count == 1)
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `a new stream replaces the pause`() {
    fail()
    probe.send(.listen)
    probe.settle()
    #expect(screen.sources.count == 2)
    advance(600)
    #expect(screen.sources.count == 2)
  }

  @Test func `a finished stream reconnects unless its screen cancels`() {
    screen.sources.finish()
    probe.settle()
    advance(600)
    #expect(probe.state.ends == [true] && screen.sources.count == 1)

    let other = Ticker()
    let probe = ScreenProbe(other)
    probe.send(.listen)
    other.sources.finish()
    probe.settle()
    probe.advance(by: .seconds(5))
    #expect(other.sources.count == 2)
  }
}
