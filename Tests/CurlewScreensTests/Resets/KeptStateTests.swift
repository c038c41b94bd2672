import CurlewScreens
import CurlewTesting
import Testing

/// A parent that keeps the states of its tabs, also while they are loading, and puts them back.
@Suite(.timeLimit(.minutes(1))) struct KeptStateTests {
  @Test(arguments: [false, true])
  func `a list that is put back while it loaded loads again`(isDeclared: Bool) {
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let tabs = Tabs(content: Feed<Entry> { try await pages.next(for: $0) }, isDeclared: isDeclared)
    let probe = ScreenProbe(tabs)
    probe.send(.content(.load))
    probe.send(.open(1, .load))
    #expect(pages.active.count == 1)
    pages.reply(.success(Page([2])), to: 1)
    probe.settle()
    #expect(probe.state.shown.items == [2])
    probe.send(.open(0, .load))
    #expect(probe.state.shown.isLoading && pages.active.count == 1)
    pages.reply(.success(Page([9])))
    probe.settle()
    #expect(probe.state.shown.items.isEmpty, "the first load is dead")
    pages.reply(.success(Page([1])))
    probe.settle()
    #expect(probe.state.shown.items == [1] && !probe.state.shown.isLoading)
  }

  @Test func `a list that is put back without an event is not loading`() {
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Tabs(content: Feed<Entry> { try await pages.next(for: $0) }))
    probe.send(.content(.load))
    probe.send(.select(1))
    #expect(!probe.runner.isWorking)
    probe.send(.select(0))
    #expect(probe.state.shown.status == .idle)
    probe.send(.content(.load))
    pages.reply(.success(Page([1], next: .number(2))), to: 1)
    probe.settle()
    probe.send(.content(.more))
    probe.send(.select(1))
    probe.send(.select(0))
    #expect(probe.state.shown.status == .content && probe.state.shown.items == [1])
  }

  @Test func `a dead load that replaces a running one is not loading`() {
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Tabs(content: Feed<Entry> { try await pages.next(for: $0) }))
    probe.send(.content(.load))
    probe.send(.open(1, .load))
    // Both states are equal: only their loads differ.
    probe.send(.select(0))
    #expect(probe.state.shown.status == .idle)
    #expect(!probe.runner.isWorking)
  }

  @Test func `a list that is put back in the same change loads on`() {
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Tabs(content: Feed<Entry> { try await pages.next(for: $0) }))
    probe.send(.content(.load))
    probe.send(.select(0))
    #expect(probe.state.shown.isLoading && pages.requested.count == 1)
    pages.reply(.success(Page([1])))
    probe.settle()
    #expect(probe.state.shown.items == [1])
  }

  @Test func `a search that is put back while it loaded searches again`() {
    let replies = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Tabs(content: Search { try await replies.next(for: $0) }))
    probe.send(.content(.term("a")))
    probe.send(.content(.submit))
    probe.send(.select(1))
    probe.send(.select(0))
    #expect(probe.state.shown.results == .idle && probe.state.shown.term == nil)
    probe.send(.content(.submit))
    replies.reply(.success(["1"]), to: 1)
    probe.settle()
    #expect(probe.state.shown.items == ["1"])
  }

  @Test func `a paged search that is put back searches again`() {
    let pages = PendingResponses<String, Page<Entry>>()
    let probe = ScreenProbe(
      Tabs(content: PagedSearch<Entry> { text, _ in try await pages.next(for: text) }))
    probe.send(.content(.term("a")))
    probe.send(.content(.submit()))
    pages.reply(.success(Page([1], next: .number(2))))
    probe.settle()
    probe.send(.content(.term("b")))
    probe.send(.content(.submit()))
    probe.send(.select(1))
    probe.send(.select(0))
    #expect(!probe.state.shown.list.isLoading)
    #expect(probe.state.shown.term == nil && probe.state.shown.shownTerm == "a")
    probe.send(.content(.list(.load)))
    #expect(pages.active == ["b"])
    pages.reply(.success(Page([2])), to: 1)
    probe.settle()
    #expect(probe.state.shown.list.items == [2] && probe.state.shown.shownTerm == "b")
  }

  @Test func `a detail that is put back while it loaded loads again`() {
    let details = PendingResponses<Int, Entry?>()
    let probe = ScreenProbe(
      Tabs(content: Detail<Int, Never, Entry> { try await details.next(for: $0) }))
    probe.send(.content(.show(1)))
    probe.send(.select(1))
    probe.send(.open(0, .show(1)))
    #expect(probe.state.shown.content.isLoading && details.active == [1])
    details.reply(.success(Entry(1)), to: 1)
    probe.settle()
    #expect(probe.state.shown.content.latest == 1)
  }
}
