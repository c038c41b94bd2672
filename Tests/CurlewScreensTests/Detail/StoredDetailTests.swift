import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A detail screen whose source has a stored value and its date.
@Suite(.timeLimit(.minutes(1)))
struct StoredDetailTests {
  let replies = PendingResponses<Int, Dated<Entry>?>()
  let probe: ScreenProbe<Detail<Int, String, Entry>>

  init() {
    let replies = replies
    probe = ScreenProbe(Detail(source: Source(values: { Values(replies, for: $0) })))
  }

  func deliver(_ entry: Entry, asOf time: Double, to index: Int = 0) {
    replies.deliver(entry, asOf: time, to: index)
    probe.settle()
  }

  func end(_ error: (any Error)? = nil, at index: Int = 0) {
    replies.reply(error.map { .failure($0) } ?? .success(nil), to: index)
    probe.settle()
  }

  @Test func `stored value is shown until the current one`() {
    probe.send(.show(1))
    deliver(Entry(1, "old"), asOf: 1)
    #expect(probe.state.content == .loading(last: Entry(1, "old"), asOf: .at(1)))
    #expect(probe.state.content.asOf == .at(1))
    deliver(Entry(1, "new"), asOf: 2)
    end()
    #expect(probe.state.content == .content(Entry(1, "new"), asOf: .at(2)))
  }

  @Test func `stored value stays with the failure and is retried`() {
    probe.send(.show(1))
    deliver(Entry(1, "old"), asOf: 1)
    end(Broken())
    #expect(probe.state.content.textOnly == .failed(.broken, last: Entry(1, "old"), asOf: .at(1)))
    probe.send(.retry)
    #expect(probe.state.content == .loading(last: Entry(1, "old"), asOf: .at(1)))
    end()
    #expect(probe.state.content == .content(Entry(1, "old"), asOf: .at(1)))
  }

  @Test func `source without a value is empty`() {
    probe.send(.show(1))
    end()
    #expect(probe.state.content == .empty)
    #expect(probe.state.content.asOf == nil)
  }

  @Test func `another thing ignores the stored value of the one before`() {
    probe.send(.show(1))
    probe.send(.show(2))
    deliver(Entry(1, "late"), asOf: 1)
    #expect(probe.state.content == .loading(last: nil))
    deliver(Entry(2, "two"), asOf: 2)
    end()
    #expect(probe.state.content == .content(Entry(2, "two"), asOf: .at(2)))
  }

  @Test func `stored collection without elements is a value`() {
    let replies = PendingResponses<Int, Dated<[Int]>?>()
    let probe = ScreenProbe(
      Detail<Int, Int, [Int]>(source: Source(values: { Values(replies, for: $0) })))
    probe.send(.show(1))
    replies.deliver([], asOf: 1)
    probe.settle()
    #expect(probe.state.content == .loading(last: [], asOf: .at(1)))
    replies.reply(.success(nil))
    probe.settle()
    #expect(probe.state.content == .content([], asOf: .at(1)))
  }

  @Test func `value that tells its age is shown with it`() {
    let probe = ScreenProbe(
      Detail<Int, Int, Entry>(source: Source(asOf: { .at(Double($0.id)) }) { Entry($0) }))
    probe.send(.show(7))
    #expect(probe.state.content == .content(7, asOf: .at(7)))
  }
}
