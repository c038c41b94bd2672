import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A list whose source has stored pages with their dates.
@Suite(.timeLimit(.minutes(1)))
struct StoredFeedTests {
  let replies = PendingResponses<PageKey?, Dated<Page<Entry>>?>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let replies = replies
    probe = ScreenProbe(Feed(source: Source(values: { Values(replies, for: $0) })))
  }

  var ids: [Int] { probe.state.items.map(\.id) }

  func deliver(
    _ ids: some Sequence<Int>, next: Int? = nil, asOf time: Double, to index: Int = 0
  ) {
    replies.deliver(Page(ids, next: next.map { .number($0) }), asOf: time, to: index)
    probe.settle()
  }

  func end(_ error: (any Error)? = nil, at index: Int = 0) {
    replies.reply(error.map { .failure($0) } ?? .success(nil), to: index)
    probe.settle()
  }

  @Test func `stored page is shown until the current one`() {
    probe.send(.load)
    #expect(probe.state.status == .loading(.first))
    deliver(1...3, next: 2, asOf: 1)
    #expect(ids == [1, 2, 3])
    #expect(probe.state.status == .loading(.refresh))
    #expect(probe.state.asOf == .at(1))
    deliver(0...2, next: 2, asOf: 2)
    end()
    #expect(ids == [0, 1, 2])
    #expect(probe.state.status == .content)
    #expect(probe.state.asOf == .at(2))
  }

  @Test(arguments: [Feed<Entry>.Event.more, .appeared(3)])
  func `what is requested while a stored page shows comes after it`(event: Feed<Entry>.Event) {
    probe.send(.load)
    deliver(1...3, next: 2, asOf: 1)
    probe.send(event)
    #expect(probe.state.status == .loading(.refresh))
    deliver(1...3, next: 2, asOf: 2)
    end()
    #expect(probe.state.status == .loading(.next))
    deliver(4...6, asOf: 3)
    end()
    #expect(ids == [1, 2, 3, 4, 5, 6] && probe.state.status == .ended)
  }

  @Test func `what is requested is given up with a failure`() {
    probe.send(.load)
    deliver(1...3, next: 2, asOf: 1)
    probe.send(.more)
    end(Broken())
    #expect(probe.state.status.textOnly == .failed(.broken, .refresh))
    probe.send(.retry)
    deliver(1...3, next: 2, asOf: 3)
    end()
    #expect(probe.state.status == .content)
  }

  @Test func `stored page stays with the failure and is refreshed`() {
    probe.send(.load)
    deliver(1...3, next: 2, asOf: 1)
    end(Broken())
    #expect(ids == [1, 2, 3])
    #expect(probe.state.status.textOnly == .failed(.broken, .refresh))
    #expect(probe.state.asOf == .at(1))
    probe.send(.retry)
    #expect(probe.state.status == .loading(.refresh))
    deliver(1...4, asOf: 3)
    #expect(ids == [1, 2, 3], "a refresh keeps the shown items until it ends")
    end()
    #expect(ids == [1, 2, 3, 4])
    #expect(probe.state.asOf == .at(3))
  }

  @Test func `refresh keeps all pages until the end`() {
    probe.send(.load)
    deliver(1...3, next: 2, asOf: 1)
    end()
    probe.send(.more)
    deliver(4...6, next: 3, asOf: 5)
    #expect(ids == [1, 2, 3], "a later page is added once")
    end()
    #expect(ids == Array(1...6))
    #expect(probe.state.asOf == .at(1), "the time of the oldest page")
    probe.send(.refresh)
    deliver(1...3, next: 2, asOf: 1)
    #expect(ids == Array(1...6))
    end(Broken())
    #expect(ids == Array(1...6))
    #expect(probe.state.status.textOnly == .failed(.broken, .refresh))
  }

  @Test func `later page that is only stored is added with the failure`() {
    probe.send(.load)
    deliver(1...3, next: 2, asOf: 2)
    end()
    probe.send(.more)
    deliver(4...6, next: 3, asOf: 1)
    end(Broken())
    #expect(ids == Array(1...6))
    #expect(probe.state.status.textOnly == .failed(.broken, .next))
    #expect(probe.state.asOf == .at(1))
    probe.send(.retry)
    #expect(replies.requested.last == .number(3))
  }

  @Test func `last page that is only stored is refreshed by a retry`() {
    probe.send(.load)
    deliver(1...3, next: 2, asOf: 2)
    end()
    probe.send(.more)
    deliver(4...6, asOf: 1)
    end(Broken())
    #expect(ids == Array(1...6))
    #expect(probe.state.status.textOnly == .failed(.broken, .refresh))
    probe.send(.retry)
    #expect(replies.requested.last == .some(nil))
    #expect(probe.state.status == .loading(.refresh))
  }

  @Test func `edit outlasts the stored and the current page`() {
    probe.send(.load)
    deliver(1...3, asOf: 1)
    let editing = ScreenProbe(
      Editable(feed: Feed(source: Source(values: { [replies] in Values(replies, for: $0) }))))
    editing.send(.feed(.load))
    replies.deliver(Page(1...3), asOf: 1, to: 1)
    editing.settle()
    editing.send(.remove(2))
    #expect(editing.state.items.map(\.id) == [1, 3])
    replies.deliver(Page(1...3), asOf: 2, to: 1)
    editing.settle()
    #expect(editing.state.items.map(\.id) == [1, 3])
    replies.reply(.success(nil), to: 1)
    editing.settle()
    #expect(editing.state.items.map(\.id) == [1, 3])
  }

  @Test func `late value of another list changes nothing`() {
    probe.send(.load)
    deliver(1...3, asOf: 1)
    probe.send(.sourceChanged)
    let states = probe.states
    deliver(7...9, asOf: 9)
    #expect(probe.states == states)
    #expect(ids == [])
    #expect(probe.state.asOf == nil)
  }

  @Test func `empty stored page is loading and then empty`() {
    probe.send(.load)
    deliver([], asOf: 1)
    #expect(probe.state.isLoading)
    end()
    #expect(probe.state.status == .empty)
  }

  @Test func `paged search shows stored results at once`() {
    let replies = PendingResponses<PageKey?, Dated<Page<Entry>>?>()
    let probe = ScreenProbe(
      PagedSearch<Entry>(source: { _ in Source(values: { Values(replies, for: $0) }) }))
    probe.send(.term("a"))
    probe.send(.submit())
    replies.deliver(Page([1, 2]), asOf: 1)
    probe.settle()
    #expect(probe.state.list.items == [1, 2])
    #expect(probe.state.list.isLoading)
    replies.reply(.failure(Broken()))
    probe.settle()
    #expect(probe.state.list.failure?.textOnly == .broken)
    #expect(probe.state.list.asOf == .at(1))
    probe.send(.list(.retry))
    replies.deliver(Page([3]), asOf: 2)
    probe.settle()
    replies.reply(.success(nil))
    probe.settle()
    #expect(probe.state.list.items == [3])
    #expect(probe.state.list.asOf == .at(2))
  }

  @Test(arguments: [false, true])
  func `a paged search goes on after its stored page`(types: Bool) {
    let replies = PendingResponses<PageKey?, Dated<Page<Entry>>?>()
    let probe = ScreenProbe(
      PagedSearch<Entry>(source: { _ in Source(values: { Values(replies, for: $0) }) }))
    probe.send(.term("a"))
    probe.send(.submit())
    replies.deliver(Page([1, 2], next: .number(2)), asOf: 1)
    probe.settle()
    probe.send(.list(.more))
    // Another text supersedes the list.
    if types { probe.send(.term("ab")) }
    replies.deliver(Page([1, 2], next: .number(2)), asOf: 2)
    probe.settle()
    replies.reply(.success(nil))
    probe.settle()
    #expect(probe.state.list.items == [1, 2])
    #expect(probe.state.list.status == (types ? .content : .loading(.next)))
    probe.advance(by: .milliseconds(500))
    #expect(probe.state.term == (types ? "ab" : "a"))
  }

  @Test func `oldest known page gives the age`() {
    let probe = ScreenProbe(
      Feed<Entry> { key in
        switch key?.number {
        case nil: Page([1], number: 1, of: 3, asOf: .at(9))
        case 2: Page([2], number: 2, of: 3, asOf: .at(4))
        default: Page([3], number: 3, of: 3)
        }
      })
    probe.send(.load)
    #expect(probe.state.asOf == .at(9))
    probe.send(.more)
    #expect(probe.state.asOf == .at(4))
    probe.send(.more)
    #expect(probe.state.asOf == .at(4))
    probe.send(.refresh)
    #expect(probe.state.asOf == .at(9))
  }

  /// A list with removable items.
  struct Editable: Screen {
    enum Event { case feed(Feed<Entry>.Event), remove(Int) }

    let feed: Feed<Entry>
    var initial: Feed<Entry>.State { feed.initial }

    func handle(
      _ event: Event, _ state: inout Feed<Entry>.State, _ work: inout Work<Feed<Entry>.State>
    ) {
      switch event {
      case .feed(let event): feed.handle(event, &state, &work)
      case .remove(let id): state.remove(id)
      }
    }
  }
}
