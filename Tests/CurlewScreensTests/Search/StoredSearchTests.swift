import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A search whose source has stored results with their dates.
@Suite(.timeLimit(.minutes(1)))
struct StoredSearchTests {
  let replies = PendingResponses<String, Dated<[String]>?>()
  let probe: ScreenProbe<Search<String>>

  init() {
    let replies = replies
    probe = ScreenProbe(Search(source: Source(values: { Values(replies, for: $0) })))
  }

  func search(_ text: String) {
    probe.send(.term(text))
    probe.send(.submit)
  }

  func deliver(_ items: [String], asOf time: Double, to index: Int = 0) {
    replies.deliver(items, asOf: time, to: index)
    probe.settle()
  }

  func end(_ error: (any Error)? = nil, at index: Int = 0) {
    replies.reply(error.map { .failure($0) } ?? .success(nil), to: index)
    probe.settle()
  }

  @Test func `stored results are shown until the current ones`() {
    search("a")
    #expect(probe.state.results.asOf == nil)
    deliver(["old"], asOf: 1)
    #expect(probe.state.results == .loading(last: ["old"], asOf: .at(1)))
    deliver(["new"], asOf: 2)
    end()
    #expect(probe.state.results == .content(["new"], asOf: .at(2)))
    #expect(probe.state.results.asOf == .at(2))
  }

  @Test func `stored results stay with the failure`() {
    search("a")
    deliver(["old"], asOf: 1)
    end(Broken())
    #expect(probe.state.results.textOnly == .failed(.broken, last: ["old"], asOf: .at(1)))
    #expect(probe.state.results.asOf == .at(1))
    #expect(probe.state.items == ["old"])
  }

  @Test func `stored nothing is empty at the end`() {
    search("a")
    deliver([], asOf: 1)
    #expect(probe.state.results == .loading(last: nil))
    end()
    #expect(probe.state.results == .empty)
  }

  @Test func `another term ignores the values of the one before`() {
    search("a")
    deliver(["a"], asOf: 1)
    search("b")
    #expect(probe.state.results == .loading(last: ["a"], asOf: .at(1)))
    let states = probe.states
    deliver(["late"], asOf: 2)
    #expect(probe.states == states)
    deliver(["b"], asOf: 3)
    end()
    #expect(probe.state.results == .content(["b"], asOf: .at(3)))
    #expect(replies.requested.filter { $0 == "a" }.count == 2)
  }

  @Test func `term whose stored results are shown is not searched again`() {
    search("a")
    deliver(["old"], asOf: 1)
    probe.send(.term("a "))
    probe.advance(by: .seconds(1))
    probe.send(.submit)
    #expect(replies.requested == ["a", "a"])
  }
}
