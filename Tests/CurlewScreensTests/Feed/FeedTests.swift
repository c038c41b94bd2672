import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// What a paged list does, with responses that the test controls.
@Suite(.timeLimit(.minutes(1)))
struct FeedTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(Feed { try await pages.next(for: $0) })
  }

  var ids: [Int] { probe.state.items.map(\.id) }

  func reply(_ page: Page<Entry>, to index: Int = 0) {
    pages.reply(.success(page), to: index)
    probe.settle()
  }

  func fail(_ words: String = "It broke.") {
    pages.reply(.failure(Broken(words: words)))
    probe.settle()
  }

  /// Shows two pages of ten: 1...20, with more to come.
  func showTwoPages() {
    probe.send(.load)
    reply(Page(1...10, next: .number(2), total: 40))
    probe.send(.more)
    reply(Page(11...20, next: .number(3), total: 40))
  }

  // MARK: The first page

  @Test func `first page is loaded when the list comes into view`() {
    #expect(probe.state.status == .idle)
    probe.send(.load)
    #expect(probe.state.status == .loading(.first))
    #expect(pages.requested == [nil])
    reply(Page(1...10, next: .number(2)))
    #expect(probe.state.status == .content)
    #expect(ids == Array(1...10))
  }

  @Test func `a failed list whose view returns tries again`() {
    probe.send(.load)
    fail()
    probe.suspend()
    probe.resume()
    probe.send(.load)
    #expect(probe.state.status == .loading(.first))
    reply(Page(1...10, next: .number(2)))
    probe.send(.more)
    fail()
    let sent = probe.send(.load)
    #expect(probe.state.status == .loading(.next) && !sent.isFinished)
    reply(Page(11...20, next: .number(3)))
    probe.send(.load)
    #expect(ids == Array(1...20) && pages.requested == [nil, nil, .number(2), .number(2)])
  }

  @Test func `list is opened at the same place again`() {
    probe.send(.restore(at: .number(2), pageCount: 3))
    for number in 2...4 {
      #expect(probe.state.status == .loading(.first))
      #expect(pages.requested == (2...number).map { .number($0) })
      reply(Page([number], next: .number(number + 1)))
    }
    #expect(ids == [2, 3, 4])
    #expect(probe.state.status == .content)
    #expect(probe.state.pageCount == 3)
    #expect(probe.state.next == .number(5))
  }

  @Test func `place that is gone or fails keeps what came`() {
    probe.send(.restore(at: nil, pageCount: 9))
    reply(Page(1...3, next: .number(2)))
    reply(Page(4...6, next: .number(3)))
    fail()
    #expect(ids == Array(1...6))
    #expect(probe.state.failure != nil && probe.state.status.kind == .next)
    probe.send(.restore(at: .number(7), pageCount: 9))
    reply(Page(7...9))
    #expect(probe.state.status == .ended)
    #expect(probe.state.pageCount == 1)
  }

  @Test func `address asks for ten pages at most`() {
    probe.send(.restore(at: nil, pageCount: .max))
    for number in 1...10 { reply(Page([number], next: .number(number + 1))) }
    #expect(probe.state.status == .content)
    #expect(pages.requested.count == 10)
    probe.send(.restore(at: .number(50), pageCount: .min))
    reply(Page([50], next: .number(51)))
    #expect(probe.state.pageCount == 1)
  }

  @Test func `list that comes into view again is not loaded again`() {
    probe.send(.load)
    probe.send(.load)
    reply(Page(1...10, next: .number(2)))
    probe.send(.load)
    #expect(pages.requested == [nil])
  }

  @Test func `list without items is empty`() {
    probe.send(.load)
    reply(Page([], total: 0))
    #expect(probe.state.status == .empty)
    #expect(probe.state.total == 0)
    #expect(!probe.state.canLoadMore)
    probe.send(.more)
    #expect(pages.requested == [nil])
  }

  @Test func `error on the first page is retried`() {
    probe.send(.load)
    fail()
    #expect(probe.state.status.textOnly == .failed(.broken, .first))
    #expect(ids == [])
    #expect(!probe.state.canLoadMore)
    probe.send(.more)
    probe.send(.appeared(1))
    #expect(pages.requested.count == 1, "only a user repeats what failed")
    probe.send(.retry)
    #expect(probe.state.status == .loading(.first))
    reply(Page(1...3))
    #expect(probe.state.status == .ended)
    #expect(pages.requested == [nil, nil])
  }

  // MARK: The next page

  @Test func `next page is loaded as the end comes near`() {
    probe.send(.load)
    reply(Page(1...10, next: .number(2)))
    for id in [1, 2, 3, 4, 5, 99] { probe.send(.appeared(id)) }
    #expect(pages.requested == [nil], "the sixth from the end is not near")
    probe.send(.appeared(6))
    #expect(probe.state.status == .loading(.next))
    #expect(pages.requested == [nil, .number(2)])
    reply(Page(11...20, next: .number(3)))
    #expect(ids == Array(1...20))
    for id in 1...15 { probe.send(.appeared(id)) }
    #expect(pages.requested.count == 2)
    probe.send(.appeared(20))
    #expect(pages.requested.last == .number(3))
  }

  @Test func `distance from the end can be chosen`() {
    let pages = pages
    let probe = ScreenProbe(
      Feed<Entry>(prefetchDistance: 1) { try await pages.next(for: $0) })
    probe.send(.load)
    reply(Page(1...10, next: .number(2)))
    probe.settle()
    probe.send(.appeared(9))
    #expect(pages.requested == [nil])
    probe.send(.appeared(10))
    #expect(pages.requested == [nil, .number(2)])
  }

  @Test func `person can ask for the next page`() {
    probe.send(.load)
    probe.send(.more)
    #expect(pages.requested == [nil], "the first page is being loaded")
    reply(Page(1...10, next: .number(2)))
    #expect(probe.state.canLoadMore)
    probe.send(.more)
    #expect(pages.requested == [nil, .number(2)])
  }

  @Test func `there is one transfer at a time`() {
    probe.send(.load)
    reply(Page(1...10, next: .number(2)))
    for id in 1...10 { probe.send(.appeared(id)) }
    for _ in 1...3 { probe.send(.more) }
    #expect(pages.requested == [nil, .number(2)])
    probe.send(.refresh)
    probe.send(.refresh)
    probe.send(.more)
    for id in 1...10 { probe.send(.appeared(id)) }
    #expect(pages.requested == [nil, .number(2), nil])
    #expect(pages.active == [nil])
    #expect(probe.mostRunning == 1)
  }

  @Test(arguments: [Feed<Entry>.Event.retry, .more])
  func `error on a page keeps the pages before it and retries from there`(event: Feed<Entry>.Event)
  {
    showTwoPages()
    probe.send(.more)
    fail()
    #expect(probe.state.status.textOnly == .failed(.broken, .next))
    #expect(ids == Array(1...20))
    #expect(probe.state.total == 40)
    probe.send(.appeared(20))
    #expect(pages.requested.count == 3, "scrolling does not hammer a server that fails")
    #expect(probe.state.canLoadMore)
    probe.send(event)
    #expect(probe.state.status == .loading(.next))
    #expect(pages.requested == [nil, .number(2), .number(3), .number(3)])
    reply(Page(21...30, next: .number(4)))
    #expect(ids == Array(1...30))
    #expect(probe.state.status == .content)
  }

  // MARK: The end

  @Test func `end is a state`() {
    showTwoPages()
    probe.send(.more)
    reply(Page(21...25, total: 25))
    #expect(probe.state.status == .ended)
    #expect(!probe.state.canLoadMore)
    #expect(probe.state.total == 25)
    for id in 1...25 { probe.send(.appeared(id)) }
    probe.send(.more)
    probe.send(.retry)
    #expect(pages.requested.count == 3)
  }

  @Test func `total stays where a later page does not tell`() {
    probe.send(.load)
    reply(Page(1...10, next: .number(2), total: 30))
    probe.send(.more)
    reply(Page(11...20, next: .number(3)))
    #expect(probe.state.total == 30)
  }

  // MARK: Keys

  @Test func `pages by number go from the first to the last`() {
    let feed = Feed<Entry> { key in
      let number = key?.number ?? 1
      return Page([Entry(number)], number: number, of: 3, total: 3)
    }
    let probe = ScreenProbe(feed)
    probe.send(.load)
    for _ in 1...5 { probe.send(.more) }
    #expect(probe.state.items == [1, 2, 3])
    #expect(probe.state.status == .ended)
    #expect(probe.state.total == 3)
  }

  @Test(arguments: [PageKey.cursor("b7=="), .link("https://example.com/list?page=2&x=%20")])
  func `pages by cursor and by link are asked for as they were named`(key: PageKey) {
    probe.send(.load)
    reply(Page(1...2, next: key))
    probe.send(.more)
    #expect(pages.requested == [nil, key])
    #expect(key.number == nil)
  }

  @Test func `list can begin elsewhere`() {
    probe.send(.restore(at: .number(3)))
    #expect(probe.state.start == .number(3))
    #expect(pages.requested == [.number(3)])
    reply(Page(21...30, next: .number(4)))
    probe.send(.restore(at: .number(3)))
    #expect(pages.requested.count == 1, "it begins there already")
    probe.send(.refresh)
    #expect(pages.requested == [.number(3), .number(3)], "anew means from its own beginning")
  }

  @Test func `replaced list drops what is there and what is on its way`() {
    probe.send(.sourceChanged)
    #expect(pages.requested.isEmpty)
    showTwoPages()
    probe.send(.more)
    probe.send(.sourceChanged)
    #expect(probe.state.items.isEmpty)
    #expect(probe.state.status == .loading(.first))
    #expect(pages.requested == [nil, .number(2), .number(3), nil])
    reply(Page(21...30))
    #expect(ids == [], "the response to another page")
    reply(Page(31...33))
    #expect(ids == [31, 32, 33])
  }

  @Test func `opening elsewhere drops what is there and what is on its way`() {
    showTwoPages()
    probe.send(.more)
    probe.send(.restore(at: .number(7)))
    #expect(ids == [])
    #expect(probe.state.status == .loading(.first))
    reply(Page(21...30, next: .number(4)))
    #expect(ids == [], "the response to another page")
    reply(Page(61...70))
    #expect(ids == Array(61...70))
    probe.send(.restore(at: nil))
    #expect(pages.requested.last == .some(nil))
    #expect(probe.state.start == nil)
  }

  @Test func `state can say where the list begins`() {
    struct Later: Screen {
      let feed: Feed<Entry>
      var initial: Feed<Entry>.State { .init(start: .cursor("c")) }
      func handle(
        _ event: Feed<Entry>.Event, _ state: inout Feed<Entry>.State,
        _ work: inout Work<Feed<Entry>.State>
      ) { feed.handle(event, &state, &work) }
    }
    let pages = pages
    let probe = ScreenProbe(Later(feed: Feed { try await pages.next(for: $0) }))
    probe.send(.load)
    #expect(pages.requested == [.cursor("c")])
  }

  // MARK: Loading never sticks

  @Test func `equal states are delivered once`() {
    showTwoPages()
    for id in 1...12 { probe.send(.appeared(id)) }
    probe.send(.load)
    probe.send(.retry)
    #expect(
      probe.states.map(\.status)
        == [.idle, .loading(.first), .content, .loading(.next), .content])
  }
}
