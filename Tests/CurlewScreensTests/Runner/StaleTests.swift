import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A screen that is shown again after a long time, such as a night in the background.
@Suite(.timeLimit(.minutes(1)))
struct StaleTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(Feed { try await pages.next(for: $0) })
    probe.resume()
    probe.send(.load)
    reply([1])
  }

  func reply(_ ids: [Int]) {
    pages.reply(.success(Page(ids)))
    probe.settle()
  }

  func pause(_ seconds: Int) {
    probe.suspend()
    probe.advance(by: .seconds(seconds))
    probe.resume()
  }

  @Test func `content is reloaded after ten minutes without a view`() {
    let states = probe.states.count
    pause(600)
    #expect(pages.requested.count == 2)
    // Silently: the items stay, and no indicator is shown.
    #expect(probe.state.status == .ended && probe.states.count == states)
    reply([2])
    #expect(probe.state.items == [2])
    probe.advance(by: .seconds(1_000))
    #expect(pages.requested.count == 2, "only once")
  }

  @Test func `content is not reloaded after a shorter pause`() {
    for _ in 0..<3 { pause(599) }
    #expect(pages.requested.count == 1)
    // The time with a view does not count.
    probe.advance(by: .seconds(10_000))
    pause(1)
    #expect(pages.requested.count == 1)
  }

  @Test func `time of stale content is an option`() {
    let pages = pages
    let probe = ScreenProbe(
      Feed<Entry> { try await pages.next(for: $0) }, activity: .init(staleTime: .seconds(5)))
    probe.send(.load)
    reply([1])
    probe.settle()
    probe.suspend()
    probe.advance(by: .seconds(3))
    // Another suspension does not restart the time.
    probe.suspend()
    probe.advance(by: .seconds(3))
    probe.resume()
    #expect(pages.requested.count == 3)
  }

  @Test func `load that resumes is not started twice, and others are reloaded`() {
    let trips = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Pair(search: Search { try await trips.next(for: $0) }))
    for part in [Pair.Event.from, Pair.Event.to] {
      probe.send(part(.term("a")))
      probe.send(part(.submit))
    }
    trips.reply(.success(["x"]), to: 0)
    probe.settle()
    probe.suspend()
    probe.advance(by: .seconds(600))
    probe.resume()
    #expect(trips.requested.count == 4, "the second search resumes, the first is repeated")
  }

  struct Pair: Screen {
    enum Event { case from(Search<String>.Event), to(Search<String>.Event) }

    struct State: Equatable {
      var from = Search<String>.State()
      var to = Search<String>.State()
    }

    let search: Search<String>
    let initial = State()
    var parts: [Part<State, Event>] {
      [Part(\.from, search, event: Event.from), Part(\.to, search, event: Event.to)]
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .from(let event): work.scope(\.from) { search.handle(event, &state.from, &$0) }
      case .to(let event): work.scope(\.to) { search.handle(event, &state.to, &$0) }
      }
    }
  }
}
