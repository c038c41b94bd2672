import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// Lists on screens of any height: each can be continued until its end.
///
/// `CURLEW_STORIES=20000` runs many orders.
@Suite(.timeLimit(.minutes(2)))
struct ContinuedListTests {
  /// Returns a page of ten items of a list with five pages.
  static func page(_ key: PageKey?) -> Page<Entry> {
    let number = key?.number ?? 1
    return Page((number * 10 - 9...number * 10).map { Entry($0) }, number: number, of: 5)
  }

  @Test func `refresh with the same rows leaves a list continuable`() {
    let probe = ScreenProbe(Feed<Entry> { Self.page($0) })
    let viewport = Viewport(probe, height: 20)
    probe.send(.load)
    viewport.layout()
    #expect(probe.state.items.count == 30)
    probe.send(.refresh)
    viewport.layout()
    #expect(probe.state.items.count > 20)
    viewport.scrollToEnd()
    #expect(probe.state.status == .ended)
  }

  @Test func `next text with the same rows leaves a list continuable`() {
    let probe = ScreenProbe(PagedSearch<Entry>(text: "a") { _, key in Self.page(key) })
    let viewport = Viewport(probe, height: 20, of: \.list, event: { .list($0) })
    probe.send(.submit())
    viewport.layout()
    #expect(probe.state.list.items.count == 30)
    probe.send(.term("ab"))
    viewport.layout()
    probe.advance(by: .milliseconds(500))
    #expect(probe.state.shownTerm == "ab")
    viewport.layout()
    viewport.scrollToEnd()
    #expect(probe.state.list.status == .ended)
  }

  @Test func `text that returns after the end was reached continues the list`() {
    let probe = ScreenProbe(PagedSearch<Entry>(text: "a") { _, key in Self.page(key) })
    let viewport = Viewport(probe, height: 45, of: \.list, event: { .list($0) })
    probe.send(.submit())
    #expect(probe.state.list.items.count == 10)
    probe.send(.term("ab"))
    viewport.layout()
    probe.send(.term("a"))
    probe.advance(by: .seconds(1))
    viewport.scrollToEnd()
    #expect(probe.state.list.status == .ended)
  }

  @Test(arguments: [(1, 5), (3, 1), (8, 5)])
  func `every feed can be continued until its end`(height: Int, distance: Int) async {
    let pages = PendingResponses { (key: PageKey?) in Library.page(key?.number ?? 1) }
    await exploreViews(pages) {
      let probe = ScreenProbe(
        Feed<Entry>(prefetchDistance: distance) { try await pages.next(for: $0) }, activity: nil)
      return ViewedList(
        probe, Viewport(probe, height: height), of: { $0 }, event: { $0 })
    }
  }

  @Test(arguments: [1, 3, 8])
  func `every paged search can be continued until its end`(height: Int) async {
    let pages = PendingResponses { (key: PageKey?) in Library.page(key?.number ?? 1) }
    await exploreViews(pages, others: ["", "a", "ab"].map { .term($0) }) {
      // All texts have the same rows.
      let search = PagedSearch<Entry>(listsAll: true) { _, key in try await pages.next(for: key) }
      let probe = ScreenProbe(search, activity: nil)
      return ViewedList(
        probe, Viewport(probe, height: height, of: \.list, event: { .list($0) }), of: \.list,
        event: { .list($0) })
    }
  }
}

/// A screen and a view of its list, whose layouts may miss states.
struct ViewedList<S: Screen, ID: Hashable & Sendable>: Explorable {
  private final class View: Sendable {
    let viewport: Mutex<Viewport<S, ID>>
    init(_ viewport: sending Viewport<S, ID>) { self.viewport = Mutex(viewport) }
  }

  let probe: ScreenProbe<S>
  let list: @Sendable (S.State) -> Feed<Entry>.State
  let event: @Sendable (Feed<Entry>.Event) -> S.Event
  private let view: View

  init(
    _ probe: ScreenProbe<S>, _ viewport: sending Viewport<S, ID>,
    of list: @escaping @Sendable (S.State) -> Feed<Entry>.State,
    event: @escaping @Sendable (Feed<Entry>.Event) -> S.Event
  ) {
    (self.probe, self.list, self.event) = (probe, list, event)
    view = View(viewport)
  }

  var state: S.State { probe.state }
  var nextSteps: [ExplorationStep] {
    probe.nextSteps
      + [-3, 0, 6].map { rows in
        ExplorationStep("viewport.scroll(by: \(rows))") { scroll(by: rows) }
      }
  }
  var pendingWork: String { "\(probe.pendingWork) \(view.viewport.withLock { $0.visible })" }
  func problem(isAtRest: Bool) -> String? { probe.problem(isAtRest: isAtRest) }

  func scroll(by rows: Int) { view.viewport.withLock { $0.scroll(by: rows) } }

  /// Scrolls down and presses "Try again" until nothing more is loaded; returns a problem if that is not the end.
  func end(_ pages: PendingResponses<PageKey?, Page<Entry>>) -> String? {
    for _ in 0..<60 {
      probe.advance(by: .seconds(1))
      while let key = pages.waiting.first {
        pages.reply(for: key)
        probe.settle()
        scroll(by: 0)
      }
      let state = list(state)
      switch state.status {
      case .idle: probe.send(event(.load))
      case .failed(_, .first), .failed(_, .next): probe.send(event(.retry))
      case .ended where state.next == nil, .failed(_, .refresh) where state.next == nil:
        return state.footer == nil ? nil : "a footer after the end"
      case .empty: return "empty"
      default: break
      }
      view.viewport.withLock { $0.scrollToEnd() }
      if pages.waiting.isEmpty, list(self.state) == state { break }
    }
    return "can't be continued: \(list(state))"
  }
}

/// Explores a screen with a view of its list, which can always be continued until its end.
///
/// - Parameter others: Events that are no list's.
func exploreViews<S: Screen, ID>(
  _ pages: PendingResponses<PageKey?, Page<Entry>>, others: [S.Event] = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  of make: @escaping () -> ViewedList<S, ID>
) async {
  await explore(
    make(), checking: [.finally { #expect($0.end(pages) == nil) }], steps: 4,
    runs: Fuzz.stories(full: 600), seed: Fuzz.seed(), sourceLocation: sourceLocation,
    events: { viewed in
      let events = [Feed<Entry>.Event.load, .refresh, .retry].map { viewed.event($0) } + others
      return events.map { event in
        ExplorationStep("probe.send(\(event))", .event(event)) { viewed.probe.send(event) }
      }
    }
  ) { viewed in
    viewed.probe.begin()
    viewed.scroll(by: 0)
  }
}
