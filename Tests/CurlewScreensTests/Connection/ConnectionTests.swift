import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A screen that refreshes itself when the network is available again.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let flags = PendingResponses<Int, Bool?>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let (pages, flags) = (pages, flags)
    probe = ScreenProbe(
      Feed { try await pages.next(for: $0) },
      activity: .init(isOffline: {
        AsyncThrowingStream(unfolding: { try await flags.next(for: 0) })
      }))
  }

  var list: Feed<Entry>.State { probe.state }

  func network(isOffline: Bool) {
    flags.reply(.success(isOffline))
    probe.settle()
  }

  func reply(_ ids: [Int]) {
    pages.reply(.success(Page(ids)))
    probe.settle()
  }

  func fail(_ error: any Error = Broken()) {
    pages.reply(.failure(error))
    probe.settle()
  }

  func load() {
    probe.send(.load)
    reply([1])
  }

  @Test func `content is refreshed when the network is back`() {
    load()
    network(isOffline: true)
    #expect(probe.activity.isOffline)
    #expect(pages.requested.count == 1)
    network(isOffline: false)
    #expect(!probe.activity.isOffline)
    #expect(pages.requested.count == 2)
    reply([2])
    #expect(list.items == [2])
    probe.advance(by: .seconds(600))
    #expect(pages.requested.count == 2)
    #expect(probe.clock.sleepers == 0)
  }

  /// Loads pages of ten.
  func load(pages count: Int) {
    for number in 1...count {
      probe.send(number == 1 ? .load : .more)
      replyPage(number)
    }
  }

  func replyPage(_ number: Int) {
    let ids = (number * 10 - 9)...(number * 10)
    pages.reply(.success(Page(ids, next: .number(number + 1))))
    probe.settle()
  }

  @Test(arguments: [3, 12])
  func `a background reload keeps the pages that are shown`(count: Int) {
    load(pages: count)
    network(isOffline: true)
    network(isOffline: false)
    for number in 1...min(count, 10) {
      #expect(probe.state.items.count == count * 10)
      replyPage(number)
    }
    #expect(probe.state.items.map(\.id) == Array(1...min(count, 10) * 10))
    #expect(list.pageCount == min(count, 10) && list.status == .content)
    #expect(pages.waiting.isEmpty)
  }

  @Test func `a background reload that fails keeps all pages`() {
    load(pages: 3)
    network(isOffline: true)
    probe.advance(by: .seconds(5))
    replyPage(1)
    fail()
    #expect(list.items.count == 30 && list.failure != nil && list.status.kind == .refresh)
    network(isOffline: false)
    for number in 1...3 { replyPage(number) }
    #expect(list.items.count == 30 && list.failure == nil)
  }

  @Test func `the user's refresh loads one page`() {
    load(pages: 3)
    network(isOffline: true)
    probe.send(.refresh)
    replyPage(1)
    #expect(list.items.count == 10 && pages.waiting.isEmpty)
  }

  @Test func `failure is retried when the network is back`() {
    probe.send(.load)
    network(isOffline: true)
    fail()
    #expect(list.failure?.textOnly == .broken)
    network(isOffline: false)
    reply([1])
    #expect(list.items == [1])
    #expect(probe.activity.alerts.isEmpty)
  }

  @Test func `while offline it tries again ever more seldom`() {
    load()
    network(isOffline: true)
    for pause in [5, 10, 20, 40, 60, 60] {
      let count = pages.requested.count
      probe.advance(by: .seconds(pause) - .milliseconds(1))
      #expect(pages.requested.count == count, "before \(pause) s")
      probe.advance(by: .milliseconds(1))
      #expect(pages.requested.count == count + 1, "after \(pause) s")
      fail()
      #expect(list.items == [1])
    }
  }

  @Test func `pauses begin anew with the next loss`() {
    load()
    network(isOffline: true)
    probe.advance(by: .seconds(5))
    fail()
    network(isOffline: false)
    reply([1])
    let count = pages.requested.count
    network(isOffline: true)
    probe.advance(by: .seconds(5))
    #expect(pages.requested.count == count + 1)
  }

  @Test func `suspended screen does not try`() {
    load()
    network(isOffline: true)
    probe.suspend()
    probe.advance(by: .seconds(600))
    #expect(pages.requested.count == 1)
    probe.resume()
    #expect(pages.requested.count == 2, "due work runs when the screen is watched again")
  }

  @Test func `resumed screen hears that the network is back`() {
    load()
    network(isOffline: true)
    probe.suspend()
    flags.reply(.success(false))
    probe.settle()
    #expect(probe.activity.isOffline)
    probe.resume()
    network(isOffline: false)
    #expect(!probe.activity.isOffline)
    #expect(pages.requested.count == 2)
  }

  @Test func `screen that shows nothing loads nothing`() {
    probe.send(.more)
    network(isOffline: true)
    probe.advance(by: .seconds(60))
    network(isOffline: false)
    #expect(pages.requested.isEmpty)
  }

  @Test func `tries keep the alert where it is`() {
    load()
    network(isOffline: true)
    probe.send(.refresh)
    fail()
    #expect(probe.activity.alerts.count == 1)
    let count = probe.activities.count
    for _ in 0..<3 {
      probe.advance(by: .seconds(60))
      #expect(pages.waiting.count == 1)
      fail()
    }
    #expect(probe.activities.dropFirst(count).isEmpty)
  }

  @Test func `view sees nothing of a try that fails`() {
    load()
    network(isOffline: true)
    probe.send(.refresh)
    fail()
    let (shown, count) = (probe.state, probe.states.count)
    probe.advance(by: .seconds(60))
    #expect(pages.waiting.count == 1)
    fail()
    #expect(probe.states.dropFirst(count).isEmpty)
    network(isOffline: false)
    #expect(probe.state == shown)
    reply([2])
    #expect(probe.state.items == [2])
  }

  @Test func `what the user changes meanwhile is shown`() {
    let replies = PendingResponses<String, [String]>()
    let probe = ScreenProbe(
      Search { try await replies.next(for: $0) },
      activity: .init(isOffline: { AsyncStream { $0.yield(true) } }))
    probe.send(.term("a"))
    probe.send(.submit)
    replies.reply(.success(["1"]))
    probe.settle()
    let shown = probe.state
    probe.advance(by: .seconds(5))
    #expect(replies.waiting == ["a"])
    #expect(probe.state == shown)
    probe.send(.term("a"))
    #expect(probe.state.isLoading, "the same text waits for the search that runs")
    probe.send(.term("ab"))
    #expect(probe.state.text == "ab")
  }

  @Test func `new time to wait is shown`() {
    load()
    network(isOffline: true)
    probe.send(.refresh)
    fail(Busy(.seconds(300)))
    probe.advance(by: .seconds(5))
    fail(Busy(.seconds(300)))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [300], "counted anew")
  }

  @Test func `dismissed alert does not come back`() throws {
    load()
    network(isOffline: true)
    probe.send(.refresh)
    fail()
    probe.dismiss(try #require(probe.activity.alerts.first).id)
    let count = probe.activities.count
    probe.advance(by: .seconds(5))
    fail()
    #expect(probe.activities.dropFirst(count).isEmpty)
  }

  @Test func `what the user asks for shows the indicator`() {
    load()
    network(isOffline: true)
    probe.advance(by: .seconds(5))
    probe.send(.appeared(9))
    probe.advance(by: .seconds(1))
    #expect(probe.activity.loading.isEmpty, "a row that appears asks for nothing")
    probe.send(.refresh)
    probe.advance(by: .seconds(1))
    #expect(!probe.activity.loading.isEmpty)
  }

  @Test func `load that is running is not doubled`() {
    load()
    network(isOffline: true)
    probe.advance(by: .seconds(5))
    probe.advance(by: .seconds(10))
    #expect(pages.requested.count == 2)
    network(isOffline: false)
    #expect(pages.requested.count == 2)
    reply([2])
    #expect(pages.requested.count == 2)
    #expect(list.items == [2])
  }

  @Test func `load that fails although the network is back is repeated`() {
    load()
    network(isOffline: true)
    probe.advance(by: .seconds(5))
    network(isOffline: false)
    fail()
    #expect(pages.requested.count == 3)
    reply([3])
    #expect(list.items == [3])
  }

  @Test func `equal flags are one state`() {
    load()
    network(isOffline: false)
    network(isOffline: false)
    #expect(probe.activities.map(\.isOffline) == [false])
    network(isOffline: true)
    network(isOffline: true)
    #expect(probe.activities.map(\.isOffline) == [false, true])
    #expect(probe.clock.sleepers == 1)
  }

  @Test func `a write is never repeated`() {
    let probe = ScreenProbe(
      Board(retries: true), activity: .init(isOffline: { AsyncStream { $0.yield(true) } }),
      checksLoads: false)
    probe.send(.failWrite("a"))
    probe.advance(by: .seconds(60))
    #expect(probe.state.retried.isEmpty)
  }

  @Test func `all loads that failed are repeated`() {
    let probe = ScreenProbe(
      Board(retries: true), activity: .init(isOffline: { AsyncStream { $0.yield(true) } }),
      checksLoads: false)
    probe.send(.postpone("a", .seconds(600)))
    probe.send(.postpone("b", .seconds(600)))
    probe.advance(by: .seconds(5))
    probe.runner.send(.end("a"))
    probe.runner.send(.end("b"))
    #expect(probe.state.retried == ["a", "b"])
  }

  @Test func `half a typed text is not searched in the background`() {
    let search = Search<Int> { _ in [] }
    func reload(_ state: Search<Int>.State) -> Search<Int>.Event? {
      search.loads(in: state)[0].reload
    }
    #expect(reload(search.initial) == nil)
    #expect(reload(.init(text: "a/b", results: .content([1]))) == .submit)
    #expect(reload(.init(text: "a/bc", term: "a/b", results: .content([1]))) == nil)
    let paged = PagedSearch<Entry> { _, _ in Page([1]) }
    func reload(_ state: PagedSearch<Entry>.State) -> PagedSearch<Entry>.Event? {
      paged.loads(in: state)[0].reload
    }
    #expect(reload(paged.initial) == nil)
    #expect(reload(.init(text: "a", list: .init(items: [1]))) == .list(.refresh))
    #expect(reload(.init(text: "ab", term: "a", list: .init(items: [1]))) == nil)
    let detail = Detail<Int, Int, Int> { $0 }
    #expect(detail.loads(in: detail.initial)[0].reload == nil)
    #expect(detail.loads(in: .init(id: 1))[0].reload == .refresh)
  }
}
