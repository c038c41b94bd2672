import CurlewScreens
import CurlewTesting
import Testing

/// A load that ends without a result notifies its screen.
@Suite(.timeLimit(.minutes(1))) struct CancelledLoadTests {
  /// A screen with all kinds of loads, whose parent cancels, replaces and resets them.
  struct Shop: Screen {
    struct State: Equatable, Sendable {
      var list = Feed<Entry>.State()
      var search = Search<Entry>.State()
      var paged = PagedSearch<Entry>.State()
      var detail = Detail<Int, Never, Entry>.State()
    }

    enum Event: Sendable {
      case list(Feed<Entry>.Event)
      case search(Search<Entry>.Event)
      case paged(PagedSearch<Entry>.Event)
      case detail(Detail<Int, Never, Entry>.Event)
      /// Cancels loads by name.
      case cancel
      /// Replaces loads by other kinds of work.
      case timers, streams
      case signOut
      /// Starts and cancels a load in one change.
      case loadAndCancel
    }

    let list: Feed<Entry>
    let search: Search<Entry>
    let paged: PagedSearch<Entry>
    let detail: Detail<Int, Never, Entry>
    let initial = State()

    var parts: [Part<State, Event>] {
      [
        Part(\.list, list, event: Event.list), Part(\.search, search, event: Event.search),
        Part(\.paged, paged, event: Event.paged), Part(\.detail, detail, event: Event.detail),
      ]
    }

    static let names: [WorkID] = [
      .feed.in(\State.list), .search.in(\State.search),
      WorkID.feed.in(\PagedSearch<Entry>.State.list).in(\State.paged), .detail.in(\State.detail),
    ]

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .list(let event): work.scope(\.list) { list.handle(event, &state.list, &$0) }
      case .search(let event): work.scope(\.search) { search.handle(event, &state.search, &$0) }
      case .paged(let event): work.scope(\.paged) { paged.handle(event, &state.paged, &$0) }
      case .detail(let event): work.scope(\.detail) { detail.handle(event, &state.detail, &$0) }
      case .cancel: for name in Self.names { work.cancel(name) }
      case .timers: for name in Self.names { work.timer(name, after: .zero) { _, _ in } }
      case .streams:
        for name in Self.names {
          work.follow(name) {
            AsyncStream<Int> { $0.finish() }
          } each: { _, _, _ in
          }
        }
      case .signOut: state = State()
      case .loadAndCancel:
        for event in [Event.list(.refresh), .detail(.refresh), .search(.submit), .paged(.submit())]
        {
          handle(event, &state, &work)
        }
        handle(.cancel, &state, &work)
      }
    }
  }

  typealias Pages = PendingResponses<String, Page<Entry>>

  let pages = Pages()
  let probe: ScreenProbe<Shop>

  init() {
    let pages = pages
    probe = ScreenProbe(
      Shop(
        list: Feed { key in try await pages.next(for: "list \(key?.number ?? 1)") },
        search: Search { text in try await pages.next(for: "search \(text)").items },
        paged: PagedSearch { text, key in
          try await pages.next(for: "paged \(text) \(key?.number ?? 1)")
        },
        detail: Detail { id in try await pages.next(for: "detail \(id)").items.first }))
  }

  /// Starts all four loads.
  func begin() {
    probe.send(.list(.load))
    probe.send(.search(.term("a")))
    probe.send(.search(.submit))
    probe.send(.paged(.term("a")))
    probe.send(.paged(.submit()))
    probe.send(.detail(.show(1)))
  }

  func reply(_ text: String = "") {
    for request in pages.waiting {
      pages.reply(
        .success(Page([Entry(1, text), Entry(2, text)], next: .number(2))), for: request)
    }
    probe.settle()
  }

  var isLoading: [Bool] {
    let state = probe.state
    return [
      state.list.isLoading, state.search.isLoading, state.paged.list.isLoading,
      state.detail.content.isLoading,
    ]
  }

  @Test(arguments: [Shop.Event.cancel, .timers, .streams])
  func `load without a result leaves nothing loading`(end: Shop.Event) {
    begin()
    #expect(isLoading == [true, true, true, true])
    probe.send(end)
    probe.settle()
    #expect(isLoading == [false, false, false, false])
    #expect(probe.state.list.status == .idle)
    #expect(probe.state.search.results == .idle)
    #expect(probe.state.paged.list.status == .idle)
    #expect(probe.state.detail.content == .idle)
    reply("late")
    #expect(probe.state.list.items.isEmpty && probe.state.search.items.isEmpty)

    // Afterwards each part can load again, in each way.
    probe.send(.list(.load))
    probe.send(.search(.retry))
    probe.send(.paged(.list(.refresh)))
    probe.send(.detail(.show(1)))
    #expect(isLoading == [true, true, true, true])
    reply("new")
    #expect(isLoading == [false, false, false, false])
    #expect(probe.state.list.items.first?.text == "new")
    #expect(probe.state.search.items.first?.text == "new")
    #expect(probe.state.paged.list.items.first?.text == "new")
    #expect(probe.state.detail.content.latest?.text == "new")
  }

  @Test func `cancelled refresh keeps what was there`() {
    begin()
    reply("old")
    probe.send(.list(.refresh))
    probe.send(.search(.term("b")))
    probe.send(.search(.submit))
    probe.send(.paged(.list(.refresh)))
    probe.send(.detail(.refresh))
    #expect(isLoading == [true, true, true, true])
    probe.send(.cancel)
    #expect(isLoading == [false, false, false, false])
    #expect(probe.state.list.status == .content)
    #expect(probe.state.list.items.map(\.text) == ["old", "old"])
    #expect(probe.state.search.items.map(\.text) == ["old", "old"])
    #expect(probe.state.search.term == nil, "the shown results belong to another text")
    #expect(probe.state.detail.content.latest?.text == "old")
    probe.send(.search(.retry))
    reply("new")
    #expect(probe.state.search.items.map(\.text) == ["new", "new"])
  }

  @Test func `load that is cancelled in its own change leaves nothing loading`() {
    begin()
    reply()
    probe.send(.loadAndCancel)
    #expect(isLoading == [false, false, false, false])
    #expect(pages.waiting.isEmpty)
  }

  @Test func `reset state sees nothing of the former user`() {
    begin()
    probe.send(.signOut)
    #expect(probe.state == Shop.State())
    #expect(!probe.runner.isWorking, "nothing is loaded for the former user")
    reply("former")
    #expect(probe.state == Shop.State())
  }

  @Test func `reset during the second page does not begin with it`() {
    begin()
    reply()
    probe.send(.list(.more))
    probe.send(.paged(.list(.more)))
    probe.send(.signOut)
    reply("former")
    #expect(probe.state == Shop.State())
    probe.send(.list(.load))
    #expect(pages.waiting == ["list 1"])
  }

  @Test func `debounced search of a reset state does not start`() {
    probe.send(.search(.term("a")))
    probe.send(.paged(.term("a")))
    probe.send(.signOut)
    probe.advance(by: .seconds(1))
    #expect(pages.requested.isEmpty)
    #expect(probe.state == Shop.State())
  }

  @Test func `cleared parts are as new`() {
    begin()
    reply()
    begin()
    probe.send(.list(.refresh))
    for event in [Shop.Event.list(.clear), .search(.clear), .paged(.clear), .detail(.clear)] {
      probe.send(event)
    }
    #expect(probe.state == Shop.State())
    #expect(!probe.runner.isWorking)
  }
}
