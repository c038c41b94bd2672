import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Random orders of events, time and responses, with invariants for each of them.
@Suite(.timeLimit(.minutes(2)))
struct FeedInterleavingTests {
  /// A feed of the ``Library``, alone or with activity tracking.
  struct Story<S: Screen> {
    let pages: Transfers<PageKey?, Page<Entry>>
    let probe: ScreenProbe<S>
    let event: (Feed<Entry>.Event) -> S.Event
    let list: (S.State) -> Feed<Entry>.State

    /// The step in which time advances, so that intermediate states are checked.
    static var step: Duration { .milliseconds(50) }

    func turn(_ generator: inout SeededGenerator) {
      switch generator.pick(0...12) {
      case 0: probe.send(event(.load))
      case 1...3: probe.send(event(.appeared(generator.pick(0...15))))
      case 4: probe.send(event(.more))
      case 5: probe.send(event(.refresh))
      case 6: probe.send(event(.retry))
      case 7 where generator.chance(oneIn: 3):
        probe.send(event(.restore(at: generator.pick([nil, .number(1), .number(3), .number(5)]))))
      case 8 where generator.chance(oneIn: 3):
        probe.runner.suspend()
        if generator.chance(oneIn: 2), !pages.waiting.isEmpty { respond(&generator) }
        probe.runner.resume()
        probe.settle()
      default:
        if !pages.waiting.isEmpty { respond(&generator) }
      }
    }

    /// Replies to any pending request, even a superseded request.
    func respond(_ generator: inout SeededGenerator, mayFail: Bool = true) {
      let place = generator.pick(0...pages.waiting.count - 1)
      let number = pages.waiting[place]?.number ?? 1
      let fails = mayFail && generator.chance(oneIn: 4)
      pages.reply(fails ? .failure(Broken()) : .success(Library.page(number)), to: place)
      probe.settle()
    }

    func problem() -> String? {
      let state = list(probe.state)
      if pages.most > 1 { return "two transfers at a time" }
      if state.isLoading != (pages.live.count == 1) {
        return "loading: \(state.isLoading), transfers: \(pages.live)"
      }
      if state.isLoading != probe.runner.isWorking { return "working unseen, or seen idle" }
      return Library.problem(with: state)
    }

    /// Replies to all pending requests, and reads the list to its end.
    func end(_ generator: inout SeededGenerator) -> String? {
      for _ in 0..<60 {
        while !pages.waiting.isEmpty {
          respond(&generator, mayFail: false)
          if let problem = problem() { return problem }
        }
        switch list(probe.state).status {
        case .idle: probe.send(event(.load))
        case .loading: return "loading sticks: \(probe.state)"
        case .content: probe.send(event(generator.chance(oneIn: 2) ? .more : .appeared(last)))
        case .failed: probe.send(event(.retry))
        case .empty: return "empty: \(probe.state)"
        case .ended:
          if list(probe.state).isPartial { return "partial: \(probe.state)" }
          return repeated(in: probe.states).map { "delivered twice: \($0)" }
        }
      }
      return "never ends: \(probe.state)"
    }

    var last: Int { list(probe.state).items.last?.id ?? 0 }
  }

  @Test func `every interleaving of a feed keeps its promises`() {
    tellStories("Feed", count: 5_000) { generator in
      let pages = Transfers<PageKey?, Page<Entry>>()
      let feed = Feed<Entry>(prefetchDistance: generator.pick(1...5)) {
        try await pages.next(for: $0)
      }
      let story = Story(pages: pages, probe: ScreenProbe(feed), event: { $0 }, list: { $0 })
      for _ in 0..<generator.pick(5...60) {
        story.turn(&generator)
        if let problem = story.problem() { return problem }
      }
      return story.end(&generator)
    }
  }

  @Test func `every interleaving of a tracked feed keeps its indicator calm`() {
    tellStories("Feed", count: 3_000) { generator in
      let pages = Transfers<PageKey?, Page<Entry>>()
      let feed = Feed<Entry> { try await pages.next(for: $0) }
      let story = Story(
        pages: pages, probe: ScreenProbe(feed), event: { $0 }, list: { $0 })
      var indicator = Indicator()
      var dismissed: LoadFailure?
      for _ in 0..<generator.pick(5...80) {
        if generator.chance(oneIn: 8) {
          for alert in story.probe.activity.alerts { story.probe.dismiss(alert.id) }
          dismissed = story.probe.state.failure
        } else if generator.chance(oneIn: 2) {
          story.probe.advance(by: Indicator.step)
          indicator.now += Indicator.step
        } else {
          story.turn(&generator)
        }
        let state = story.probe.state
        if state.failure == nil { dismissed = nil }
        let problem =
          story.problem()
          ?? indicator.problem(
            isBusy: state.isLoading, isShown: !story.probe.activity.loading.isEmpty)
          ?? Self.problem(with: story.probe, dismissed: dismissed)
        if let problem { return problem }
      }
      if let problem = story.end(&generator) { return problem }
      story.probe.advance(by: .milliseconds(500))
      let state = story.probe.state
      if !story.probe.activity.loading.isEmpty { return "the indicator sticks: \(state)" }
      if story.probe.clock.sleepers > 0 { return "a timer is left over" }
      return nil
    }
  }

  static func problem(
    with probe: ScreenProbe<Feed<Entry>>, dismissed: LoadFailure?
  ) -> String? {
    let shown = probe.activity.alerts.map(\.failure)
    let wanted = [probe.state.failure].compactMap { $0 == dismissed ? nil : $0 }
    return shown == wanted ? nil : "alerts are \(shown), not \(wanted)"
  }

  /// A second implementation of the indicator's rule: visible after 200 ms of uninterrupted work, for at least 500 ms,
  /// and as long as there is work.
  struct Indicator {
    static let step = Duration.milliseconds(50)

    var now = Duration.zero
    private var busySince: Duration?
    private var shownSince: Duration?

    mutating func problem(isBusy: Bool, isShown: Bool) -> String? {
      if !isBusy {
        busySince = nil
      } else if busySince == nil {
        busySince = now
      }
      if let since = shownSince, !isBusy, now - since >= .milliseconds(500) { shownSince = nil }
      if shownSince == nil, let since = busySince, now - since >= .milliseconds(200) {
        shownSince = now
      }
      if isShown == (shownSince != nil) { return nil }
      return "shown: \(isShown), but busy since \(busySince as Any) at \(now)"
    }
  }
}
