import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Sources that repeat items: no duplicates, and no list that gets stuck.
@Suite(.timeLimit(.minutes(1)))
struct FeedRepetitionTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(Feed { try await pages.next(for: $0) })
  }

  var ids: [Int] { probe.state.items.map(\.id) }

  func reply(_ page: Page<Entry>) {
    pages.reply(.success(page))
    probe.settle()
  }

  func fail() {
    pages.reply(.failure(Broken()))
    probe.settle()
  }

  func showFirstPage() {
    probe.send(.load)
    reply(Page(1...10, next: .number(2)))
  }

  // MARK: No item twice

  @Test func `item that a page repeats is there once`() {
    probe.send(.load)
    reply(Page([1, 2, 1, 3, 3], next: .number(2)))
    #expect(ids == [1, 2, 3])
  }

  @Test func `item that comes again on a later page stays where and as it was`() {
    probe.send(.load)
    reply(Page([Entry(1, "one"), Entry(2, "two")], next: .number(2)))
    probe.send(.more)
    reply(Page([Entry(2, "changed"), Entry(3, "three")], next: .number(3)))
    #expect(probe.state.items == [Entry(1, "one"), Entry(2, "two"), Entry(3, "three")])
  }

  @Test func `item after a refresh is the new one and there once`() {
    probe.send(.load)
    reply(Page([Entry(1, "one"), Entry(2, "two")], next: .number(2)))
    probe.send(.refresh)
    reply(Page([Entry(2, "new"), Entry(1, "new")], next: .number(2)))
    probe.send(.more)
    reply(Page([Entry(1, "newer"), Entry(3, "three")]))
    #expect(probe.state.items == [Entry(2, "new"), Entry(1, "new"), Entry(3, "three")])
  }

  // MARK: Circles

  @Test func `source that leads in a circle ends`() {
    probe.send(.load)
    reply(Page(1...2, next: .cursor("a")))
    probe.send(.more)
    reply(Page(3...4, next: .cursor("b")))
    probe.send(.more)
    reply(Page(5...6, next: .cursor("a")))
    #expect(probe.state.status == .ended)
    #expect(ids == Array(1...6))
    probe.send(.more)
    #expect(pages.requested == [nil, .cursor("a"), .cursor("b")])
  }

  @Test func `circle back to the first page ends without help`() {
    let feed = Feed<Entry> { key in
      let number = key?.number ?? 1
      return Page([number * 2, number * 2 + 1], next: .number(number % 4 + 1))
    }
    let probe = ScreenProbe(feed)
    probe.send(.load)
    for _ in 1...4 { probe.send(.more) }
    #expect(probe.state.items.map(\.id) == Array(2...9))
    #expect(probe.state.status == .ended)
  }

  @Test func `refresh forgets the way of the list before`() {
    probe.send(.load)
    reply(Page(1...2, next: .cursor("a")))
    probe.send(.more)
    reply(Page(3...4, next: .cursor("b")))
    probe.send(.refresh)
    reply(Page(1...2, next: .cursor("a")))
    #expect(probe.state.status == .content)
    #expect(probe.state.next == .cursor("a"))
  }

  // MARK: Pages that bring nothing new

  @Test func `page of known items is followed by the next one`() {
    showFirstPage()
    probe.send(.appeared(10))
    reply(Page(6...10, next: .number(3)))
    #expect(probe.state.status == .loading(.next), "nothing new came into view to ask for more")
    #expect(pages.requested == [nil, .number(2), .number(3)])
    reply(Page(11...20, next: .number(4)))
    #expect(ids == Array(1...20))
    #expect(probe.state.status == .content)
    #expect(pages.requested.count == 3)
    #expect(probe.mostRunning == 1)
  }

  @Test func `first page without items is followed by the next one`() {
    probe.send(.load)
    reply(Page([], next: .cursor("a"), isPartial: true, skippedEntries: ["lost"]))
    #expect(probe.state.status == .loading(.first))
    reply(Page(1...2, next: .cursor("b"), skippedEntries: ["lost, too"]))
    #expect(probe.state.status == .content)
    #expect(ids == [1, 2])
    #expect(probe.state.isPartial)
    #expect(probe.state.skippedEntries == ["lost", "lost, too"])
    #expect(probe.state.next == .cursor("b"))
  }

  @Test func `one page with something new is enough`() {
    showFirstPage()
    probe.send(.more)
    reply(Page([10, 11], next: .number(3)))
    #expect(pages.active == [])
    #expect(probe.state.status == .content)
  }

  @Test func `source that never brings anything new is asked five times at most`() {
    showFirstPage()
    probe.send(.more)
    for number in 2...6 {
      #expect(pages.active == [.number(number)])
      reply(Page(1...10, next: .number(number + 1)))
    }
    #expect(pages.active == [])
    #expect(probe.state.status == .content)
    #expect(ids == Array(1...10))
    #expect(probe.state.canLoadMore, "a user may go on")
    probe.send(.more)
    #expect(pages.active == [.number(7)])
  }

  @Test func `list of empty pages is not taken for an empty one`() {
    probe.send(.load)
    for number in 2...6 { reply(Page([], next: .number(number))) }
    #expect(pages.active == [])
    #expect(probe.state.status == .content)
    #expect(probe.state.canLoadMore)
    probe.send(.more)
    reply(Page([], total: 0))
    #expect(probe.state.status == .empty)
  }

  @Test func `empty pages up to the end are an empty list`() {
    probe.send(.load)
    reply(Page([], next: .number(2)))
    reply(Page([]))
    #expect(probe.state.status == .empty)
  }

  @Test func `error behind a page of known items is retried from there`() {
    showFirstPage()
    probe.send(.more)
    reply(Page(1...10, next: .number(3)))
    fail()
    #expect(probe.state.status.textOnly == .failed(.broken, .next))
    #expect(ids == Array(1...10))
    probe.send(.retry)
    #expect(pages.requested == [nil, .number(2), .number(3), .number(3)])
    reply(Page(11...12))
    #expect(ids == Array(1...12))
  }

  @Test func `error behind an empty first page is retried from there`() {
    probe.send(.load)
    reply(Page([], next: .number(2)))
    fail()
    #expect(probe.state.status.textOnly == .failed(.broken, .next))
    probe.send(.retry)
    #expect(pages.requested == [nil, .number(2), .number(2)])
    reply(Page(1...2))
    #expect(probe.state.status == .ended)
  }

  @Test func `superseded transfer loads nothing more`() {
    showFirstPage()
    probe.send(.more)
    probe.send(.refresh)
    reply(Page(1...10, next: .number(3)))
    #expect(pages.requested == [nil, .number(2), nil])
    #expect(probe.mostRunning == 1)
  }
}
