import CurlewScreens
import CurlewTesting
import Testing

/// A paged search that lists all items for an empty text.
@Suite(.timeLimit(.minutes(1))) struct CatalogueTests {
  let pages = PendingResponses<String, Page<Entry>>()
  let probe: ScreenProbe<PagedSearch<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(
      PagedSearch(listsAll: true) { text, key in
        try await pages.next(for: "\(text)/\(key?.number ?? 1)")
      })
  }

  func reply(_ ids: [Int], next: Int? = nil) {
    pages.reply(.success(Page(ids.map { Entry($0) }, next: next.map { .number($0) })))
    probe.settle()
  }

  @Test func `everything is listed when the screen begins`() {
    probe.resume()
    #expect(pages.waiting == ["/1"])
    reply([1, 2], next: 2)
    #expect(probe.state.list.items.map(\.id) == [1, 2])
    #expect(probe.state.term == "")
    probe.send(.list(.more))
    #expect(pages.waiting == ["/2"])
    reply([3])
    #expect(probe.state.list.status == .ended)
  }

  @Test func `first event that searches asks only for that`() {
    probe.runner.send(.term("swift"))
    probe.send(.submit())
    probe.settle()
    #expect(pages.waiting.last == "swift/1")
    reply([9])
    #expect(probe.state.term == "swift")
  }

  @Test func `text is searched and its deletion lists everything at once`() {
    probe.resume()
    reply([1, 2])
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(500))
    #expect(pages.waiting == ["a/1"])
    reply([7])
    #expect(probe.state.list.items.map(\.id) == [7])
    probe.send(.term(""))
    #expect(pages.waiting == ["/1"], "without the debounce interval")
    #expect(probe.state.list.items.map(\.id) == [7], "until everything has arrived")
    reply([1, 2])
    #expect(probe.state.list.items.map(\.id) == [1, 2])
    probe.send(.term("  "))
    #expect(pages.waiting.isEmpty, "it is the same text")
  }

  @Test func `cleared catalogue is empty until it is asked`() {
    probe.resume()
    reply([1, 2])
    probe.send(.clear)
    #expect(probe.state == PagedSearch<Entry>.State())
    probe.send(.list(.load))
    reply([3])
    #expect(probe.state.list.items.map(\.id) == [3])
  }
}
