import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A refreshed list: which items stay, which loads it supersedes, and a source that had stopped early.
@Suite(.timeLimit(.minutes(1)))
struct FeedRefreshTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(Feed { try await pages.next(for: $0) })
    probe.send(.load)
    reply(Page(1...10, next: .number(2), total: 30, skippedEntries: ["old"]))
    probe.send(.more)
    reply(Page(11...20, next: .number(3), total: 30))
  }

  var ids: [Int] { probe.state.items.map(\.id) }

  func reply(_ page: Page<Entry>, to index: Int = 0) {
    pages.reply(.success(page), to: index)
    probe.settle()
  }

  func fail() {
    pages.reply(.failure(Broken()))
    probe.settle()
  }

  @Test func `items stay until the response`() {
    probe.send(.refresh)
    #expect(probe.state.status == .loading(.refresh))
    #expect(ids == Array(1...20))
    #expect(probe.state.total == 30)
    reply(Page([30, 1, 2], next: .cursor("b"), total: 31))
    #expect(ids == [30, 1, 2])
    #expect(probe.state.total == 31)
    #expect(probe.state.skippedEntries == [])
    #expect(probe.state.status == .content)
    probe.send(.more)
    #expect(pages.requested.last == .cursor("b"))
  }

  @Test func `refresh supersedes a page whose late response changes nothing`() {
    probe.send(.more)
    #expect(pages.active == [.number(3)])
    probe.send(.refresh)
    #expect(pages.active == [nil])
    let states = probe.states
    reply(Page(21...30))
    #expect(probe.states == states)
    reply(Page(41...42))
    #expect(ids == [41, 42])
  }

  @Test func `error keeps everything`() {
    let before = probe.state
    probe.send(.refresh)
    fail()
    #expect(probe.state.status.textOnly == .failed(.broken, .refresh))
    #expect(probe.state.items == before.items)
    #expect(probe.state.total == before.total)
    #expect(probe.state.skippedEntries == before.skippedEntries)
    #expect(probe.state.next == before.next)
  }

  @Test func `failed refresh is retried as one`() {
    probe.send(.refresh)
    fail()
    probe.send(.retry)
    #expect(probe.state.status == .loading(.refresh))
    #expect(ids == Array(1...20))
    reply(Page(1...3))
    #expect(ids == [1, 2, 3])
  }

  @Test func `list goes on where it was after a failed refresh`() {
    probe.send(.refresh)
    fail()
    #expect(probe.state.canLoadMore)
    probe.send(.more)
    #expect(pages.requested.last == .number(3))
    reply(Page(21...30))
    #expect(ids == Array(1...30))
  }

  @Test func `refresh of an untouched list loads its first page`() {
    let pages = pages
    let probe = ScreenProbe(Feed<Entry> { try await pages.next(for: $0) })
    probe.send(.refresh)
    #expect(probe.state.status == .loading(.first))
  }

  @Test func `refresh of an empty list is a first page and fails as one`() {
    probe.send(.refresh)
    reply(Page([]))
    #expect(probe.state.status == .empty)
    probe.send(.refresh)
    #expect(probe.state.status == .loading(.first))
    fail()
    #expect(probe.state.status.textOnly == .failed(.broken, .first))
    probe.send(.refresh)
    reply(Page(1...2))
    #expect(ids == [1, 2])
  }

  // MARK: Partial

  @Test func `source that gave up is asked again`() {
    probe.send(.refresh)
    reply(Page(1...10, next: .number(2), isPartial: true))
    #expect(probe.state.isPartial)
    probe.send(.retry)
    #expect(probe.state.status == .loading(.refresh))
    #expect(ids == Array(1...10))
    probe.send(.retry)
    #expect(pages.active.count == 1)
    reply(Page(1...12, next: .number(2)))
    #expect(!probe.state.isPartial)
    #expect(ids == Array(1...12))
  }

  @Test func `list is partial if any page is`() {
    probe.send(.more)
    reply(Page(21...25, next: .number(4), isPartial: true))
    probe.send(.more)
    reply(Page(26...30))
    #expect(probe.state.isPartial)
    #expect(probe.state.status == .ended)
  }

  @Test func `empty list of a source that gave up is asked for again`() {
    probe.send(.refresh)
    reply(Page([], isPartial: true))
    #expect(probe.state.status == .empty)
    probe.send(.retry)
    #expect(probe.state.status == .loading(.first))
    reply(Page(1...2))
    #expect(ids == [1, 2])
    #expect(!probe.state.isPartial)
  }

  // MARK: Damages

  @Test func `damages of all pages are collected`() {
    probe.send(.more)
    reply(Page(21...25, next: .number(4), skippedEntries: ["new", "newer"]))
    #expect(probe.state.skippedEntries == ["old", "new", "newer"])
  }
}
