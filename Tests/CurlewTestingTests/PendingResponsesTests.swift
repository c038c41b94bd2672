import CurlewScreens
import CurlewTesting
import Testing

/// Tests responses that a test supplies one by one.
@Suite(.timeLimit(.minutes(1)))
struct PendingResponsesTests {
  private let responses = PendingResponses<String, [Int]>()

  private func probe() -> ScreenProbe<Search<Int>> {
    let probe = ScreenProbe(Search<Int> { [responses] in try await responses.next(for: $0) })
    for text in ["a", "ab"] {
      probe.send(.term(text))
      probe.advance(by: .milliseconds(500))
    }
    return probe
  }

  @Test func `a reply goes to the request at its index`() {
    let probe = probe()
    responses.reply(.success([2]), to: 1)
    probe.settle()
    #expect(responses.waiting == ["a"] && probe.state.items == [2])
    responses.reply(.success([1]), for: "a")
    probe.settle()
    #expect(responses.waiting.isEmpty && probe.state.items == [2])
  }

  @Test func `a reply to no request fails the test`() {
    let probe = probe()
    withKnownIssue {
      responses.reply(.success([]), to: 2)
    } matching: {
      $0.comments == [#"No request is pending at index 2. Pending: ["a", "ab"]."#]
    }
    withKnownIssue {
      responses.reply(.success([]), for: "b")
    } matching: {
      $0.comments == [#""b" is not pending. Pending: ["a", "ab"]."#]
    }
    #expect(probe.state.isLoading)
    responses.reply(.success([1]))
    responses.reply(.success([2]))
    probe.settle()
  }
}
