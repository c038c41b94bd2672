import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// The details of one thing: a part that is known at once, and the rest when it is loaded.
@Suite(.timeLimit(.minutes(1)))
struct DetailTests {
  /// A detail, and the words of its scenarios.
  ///
  /// - Events: those of a detail, as `show 1`; things below 10 are known.
  /// - Responses to the newest request: `give 1:text asOf 1`, or `nothing`; `fail`. `stored 1:text asOf 1` is a value after which
  ///   the request goes on, until its `end`. `late give 1` responds to the oldest request.
  /// - Expectations: the content (`is`); the properties of the state; the ids that the detail `loads`, and those `requested`;
  ///   `unchanged` states since a `mark`.
  private final class Steps {
    let things = PendingResponses<Int, Dated<Entry>?>()
    let probe: ScreenProbe<Detail<Int, String, Entry>>
    private var sent: PendingWork?
    private var mark = 0

    init(isStored: Bool) {
      let things = things
      let source =
        isStored
        ? Source(values: { Values(things, for: $0) })
        : Source { try await things.next(for: $0)?.value }
      probe = ScreenProbe(Detail(known: { $0 < 10 ? "known-\($0)" : nil }, source: source))
    }

    func perform(_ word: String, _ words: [String]) throws -> String? {
      switch word {
      case "show": sent = probe.send(.show(try #require(Int(words[0]))))
      case "refresh": probe.send(.refresh)
      case "retry": probe.send(.retry)
      case "mark": mark = probe.states.count
      case "late": try respond(words[0], Array(words.dropFirst()), to: 0)
      case "give", "stored", "end", "fail": try respond(word, words, to: things.waiting.count - 1)
      default: return try expectation(word)
      }
      return nil
    }

    private func respond(_ word: String, _ words: [String], to index: Int) throws {
      let isNothing = word == "end" || words == ["nothing"]
      let page = isNothing ? nil : try Page<Entry>(words: words)
      let thing = page?.items.first.map { Dated($0, asOf: page?.asOf) }
      things.reply(word == "fail" ? .failure(Broken()) : .success(thing), to: index)
      probe.settle()
    }

    private func expectation(_ word: String) throws -> String {
      let state = probe.state
      func joined(_ ids: [Int]) -> String {
        ids.isEmpty ? "nothing" : ids.map { "\($0)" }.joined(separator: " ")
      }
      switch word {
      case "is":
        let (content, latest) = (state.content, state.content.latest)
        let status =
          content.isLoading
          ? "loading"
          : content.failure.map { $0.textOnly == .broken ? "failed" : "\($0)" }
            ?? (content == .idle ? "idle" : content == .empty ? "empty" : "content")
        let asOf = content.asOf.map { "asOf \(Int($0.timeIntervalSince1970))" }
        return [status, latest.map { [$0].text }, asOf].compactMap(\.self).joined(separator: " ")
      case "id": return "\(state.id ?? 0)"
      case "known": return state.known ?? "nothing"
      case "loads": return joined(things.active)
      case "requested": return joined(things.requested)
      case "works": return "\(probe.runner.isWorking)"
      case "states": return "\(probe.states.count)"
      case "finished": return "\(sent?.isFinished ?? true)"
      case "atOnce": return "\(probe.mostRunning)"
      case "unchanged": return probe.states.count == mark ? "" : "\(probe.states.suffix(1))"
      default: throw Scenario.UnknownWord(step: word)
      }
    }
  }

  private static let scenarios = Scenario.all(
    """
    what is known is shown at once and the rest is loaded
      show 1; states 2; id 1; known known-1; is loading; requested 1; give 1:all; is content 1all
      known known-1; works false
    a thing that is not there is empty and no error
      show 1; give nothing; is empty; id 1
    a failure is retried
      show 1; fail; is failed; known known-1; retry; is loading; requested 1 1; give 1; is content 1
    a failed detail whose view returns tries again, and keeps what is shown
      show 1; fail; show 1; is loading; requested 1 1; give 1; refresh; fail; show 1; is loading 1
      finished false; give 1; is content 1
    a retry of what did not fail does nothing
      retry; refresh; requested nothing; show 1; retry; refresh; show 1; give 1; retry; show 1
      requested 1
    another thing replaces the one in flight
      show 1; show 2; loads 2; atOnce 1; known known-2; give 2; mark; late give 1; unchanged
      is content 2
    another thing shows nothing of the one before
      show 1; give 1; show 12; known nothing; is loading; give 12; is content 12
    a refresh keeps the content until the response
      show 1; give 1:old; refresh; is loading 1old; fail; is failed 1old; refresh; give 1:new
      is content 1new
    """)

  @Test(arguments: scenarios) func `a detail does as its scenario says`(scenario: Scenario) throws {
    try scenario.run(Steps(isStored: false).perform)
  }

  private static let stored = Scenario.all(
    """
    a stored value is shown until the current one
      show 1; stored 1:old asOf 1; is loading 1old asOf 1; stored 1:new asOf 2; end
      is content 1new asOf 2
    a stored value stays with the failure and is retried
      show 1; stored 1:old asOf 1; fail; is failed 1old asOf 1; retry; is loading 1old asOf 1; end
      is content 1old asOf 1
    a source without a value is empty
      show 1; end; is empty
    another thing ignores the stored value of the one before
      show 1; show 2; late stored 1:late asOf 1; is loading; stored 2:two asOf 2; end
      is content 2two asOf 2
    """)

  @Test(arguments: stored) func `a stored value comes before the current one`(scenario: Scenario)
    throws
  {
    try scenario.run(Steps(isStored: true).perform)
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

  @Test func `the latest is what is loaded or else what was known`() {
    typealias State = Detail<Int, Entry, Entry>.State
    let (known, loaded) = (Entry(1, "known"), Entry(1, "all of it"))
    #expect(State().latest == nil)
    #expect(State(id: 1, known: known, content: .loading(last: nil)).latest == known)
    #expect(State(id: 1, known: known, content: .content(loaded)).latest == loaded)
    #expect(State(id: 1, known: known, content: .empty).latest == nil, "it is gone")
    let failure = LoadFailure(Broken())
    #expect(State(id: 1, known: known, content: .failed(failure, last: nil)).latest == known)
  }
}
