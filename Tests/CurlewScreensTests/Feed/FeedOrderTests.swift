import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Orders of events, time and responses, with invariants for each of them.
@Suite(.timeLimit(.minutes(2)))
struct FeedOrderTests {
  typealias Pages = PendingResponses<PageKey?, Page<Entry>>
  private static let events: [Feed<Entry>.Event] =
    [.load, .more, .refresh, .retry, .restore(at: nil)]
    + [0, 2, 5, 8, 11, 14].map { .appeared($0) }
    + [1, 3, 5].map { .restore(at: .number($0)) }

  private let pages = Pages { Library.page($0?.number ?? 1) }

  @Test(arguments: [1, 5]) func `every order of a feed keeps its promises`(distance: Int) async {
    await exploreInTime(
      Feed(prefetchDistance: distance) { [pages] in try await pages.next(for: $0) },
      events: Self.events, checking: Self.promises(of: { $0 }, event: { $0 }, pages))
  }

  @Test func `no kept list loads for ever in any order`() async {
    let events = Self.events.map { Tabs<Feed<Entry>>.Event.content($0) }
    await exploreInTime(
      Tabs(content: Feed { [pages] in try await pages.next(for: $0) }),
      events: events + [.select(0), .select(1), .open(1, .load), .cancel(.feed)],
      checking: Self.promises(of: \.shown, event: { .content($0) }, pages))
  }

  private static func promises<S: Screen>(
    of list: @escaping @Sendable (S.State) -> Feed<Entry>.State,
    event: @escaping @Sendable (Feed<Entry>.Event) -> S.Event, _ pages: Pages
  ) -> [ExplorationProperty<ScreenProbe<S>>] {
    @Sendable func violation(_ probe: ScreenProbe<S>) -> String? {
      let state = list(probe.state)
      if !probe.isSuspended, pages.active.count != (state.isLoading ? 1 : 0) {
        return "loads \(pages.active)"
      }
      if state.isLoading != probe.runner.isWorking { return "working unseen, or seen idle" }
      return Library.problem(with: state)
    }
    return [
      .always { #expect(violation($0) == nil) },
      .finally { probe in
        // Each list can be read to its end.
        for round in 0..<60 where list(probe.state).status != .ended {
          let state = list(probe.state)
          let next: Feed<Entry>.Event =
            switch state.status {
            case .idle: .load
            case .content where round.isMultiple(of: 2): .appeared(state.items.last?.id ?? 0)
            case .content: .more
            default: .retry
            }
          probe.send(event(next))
          while let key = pages.waiting.first {
            pages.reply(for: key)
            probe.settle()
            #expect(violation(probe) == nil)
          }
        }
        #expect(list(probe.state).status == .ended && !list(probe.state).isPartial)
      },
    ]
  }

  @Test func `the indicator of a feed is calm in every order`() async {
    await explore(
      ScreenProbe(Feed { [pages] in try await pages.next(for: $0) }),
      checking: [
        .model(Indicator()) { model, step, probe in
          let state = probe.state
          if step.code == "dismiss" { model.dismissed = state.failure }
          if state.failure == nil { model.dismissed = nil }
          model.advance(to: probe.clock.now.offset, isBusy: state.isLoading)
          #expect(probe.activity.loading.isEmpty == (model.shownSince == nil))
          let alerts = [state.failure].compactMap { $0 == model.dismissed ? nil : $0 }
          #expect(probe.activity.alerts.map(\.failure) == alerts)
        },
        .finally { probe in
          probe.advance(by: .milliseconds(500))
          #expect(probe.activity.loading.isEmpty && probe.clock.sleepers == 0)
        },
      ], runs: Fuzz.stories(full: 1_200), seed: Fuzz.seed(),
      events: { probe in
        let events: [Feed<Entry>.Event] = [.load, .more, .refresh, .retry]
        return events.map { event in
          ExplorationStep("probe.send(\(event))", .event(event)) { probe.send(event) }
        } + [
          ExplorationStep("dismiss") {
            for alert in probe.activity.alerts { probe.dismiss(alert.id) }
          },
          ExplorationStep("probe.advance(by: .milliseconds(50))") {
            probe.advance(by: .milliseconds(50))
          },
        ]
      }
    ) { _ in }
  }

  /// A second implementation of the indicator's rule: visible after 200 ms of uninterrupted work, for at least 500 ms,
  /// and as long as there is work.
  struct Indicator {
    private var busySince: Duration?
    var shownSince: Duration?
    var dismissed: LoadFailure?

    mutating func advance(to now: Duration, isBusy: Bool) {
      busySince = isBusy ? busySince ?? now : nil
      if let since = shownSince, !isBusy, now - since >= .milliseconds(500) { shownSince = nil }
      if shownSince == nil, let since = busySince, now - since >= .milliseconds(200) {
        shownSince = since + .milliseconds(200)
      }
    }
  }
}
