import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Lists on screens of any height: each can be continued until its end.
///
/// `CURLEW_STORIES=20000` tells many stories.
@Suite(.timeLimit(.minutes(2)))
struct ContinuedListTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()

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

  /// A view of a list under random events, with pages that fail, and layouts that miss states.
  struct Story<S: Screen, ID: Hashable & Sendable> {
    let pages: PendingResponses<PageKey?, Page<Entry>>
    let probe: ScreenProbe<S>
    let viewport: Viewport<S, ID>
    let event: (Feed<Entry>.Event) -> S.Event
    let list: (S.State) -> Feed<Entry>.State

    init(
      _ generator: inout SeededGenerator, _ screen: S,
      _ pages: PendingResponses<PageKey?, Page<Entry>>,
      of list: @escaping (S.State) -> Feed<Entry>.State,
      event: @escaping (Feed<Entry>.Event) -> S.Event,
      viewport: (ScreenProbe<S>, _ height: Int) -> Viewport<S, ID>
    ) {
      (self.pages, self.event, self.list) = (pages, event, list)
      probe = ScreenProbe(screen)
      self.viewport = viewport(probe, generator.pick(1...20))
    }

    func turn(_ generator: inout SeededGenerator) {
      switch generator.pick(0...9) {
      case 0: probe.send(event(.load))
      case 1: probe.send(event(.refresh))
      case 2: probe.send(event(.retry))
      case 3 where generator.chance(oneIn: 3):
        probe.suspend()
        if !pages.waiting.isEmpty { respond(&generator) }
        probe.resume()
      case 4...5: viewport.scroll(by: generator.pick(-3...6))
      default: if !pages.waiting.isEmpty { respond(&generator) }
      }
      if !generator.chance(oneIn: 3) { viewport.layout() }
    }

    func respond(_ generator: inout SeededGenerator, mayFail: Bool = true) {
      let index = generator.pick(0...pages.waiting.count - 1)
      let fails = mayFail && generator.chance(oneIn: 4)
      let page = Library.page(pages.waiting[index]?.number ?? 1)
      pages.reply(fails ? .failure(Broken()) : .success(page), to: index)
      probe.settle()
    }

    /// Scrolls down and presses "Try again" until nothing more is loaded; returns a problem if that is not the end.
    func end(_ generator: inout SeededGenerator) -> String? {
      for _ in 0..<60 {
        probe.advance(by: .seconds(1))
        while !pages.waiting.isEmpty {
          respond(&generator, mayFail: false)
          viewport.layout()
        }
        let state = list(probe.state)
        switch state.status {
        case .idle: probe.send(event(.load))
        case .failed(_, .first), .failed(_, .next): probe.send(event(.retry))
        case .ended where state.next == nil, .failed(_, .refresh) where state.next == nil:
          return state.footer == nil ? nil : "a footer after the end"
        case .empty: return "empty"
        default: break
        }
        viewport.scrollToEnd()
        if pages.waiting.isEmpty, list(probe.state) == state { break }
      }
      return "can't be continued, with \(viewport.visible): \(list(probe.state))"
    }
  }

  @Test func `every feed can be continued until its end`() {
    tellStories("lists in a viewport", count: 1_000) { generator in
      let pages = PendingResponses<PageKey?, Page<Entry>>()
      let feed = Feed<Entry>(prefetchDistance: generator.pick(1...5)) {
        try await pages.next(for: $0)
      }
      let story = Story(&generator, feed, pages, of: { $0 }, event: { $0 }) {
        Viewport($0, height: $1)
      }
      for _ in 0..<generator.pick(5...60) { story.turn(&generator) }
      return story.end(&generator)
    }
  }

  @Test func `every paged search can be continued until its end`() {
    tellStories("searches in a viewport", count: 1_000) { generator in
      let pages = PendingResponses<PageKey?, Page<Entry>>()
      // All texts have the same rows.
      let search = PagedSearch<Entry>(listsAll: true) { _, key in try await pages.next(for: key) }
      let story = Story(&generator, search, pages, of: \.list, event: { .list($0) }) {
        Viewport($0, height: $1, of: \.list, event: { .list($0) })
      }
      for _ in 0..<generator.pick(5...60) {
        switch generator.pick(0...5) {
        case 0: story.probe.send(.term(generator.pick(["", "a", "ab"])))
        case 1: story.probe.advance(by: .milliseconds(generator.pick([100, 500])))
        default: story.turn(&generator)
        }
      }
      return story.end(&generator)
    }
  }
}
