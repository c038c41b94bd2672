import CurlewScreens
import CurlewTesting
import Foundation
import Testing

@Test func `Search<String> repeats its trace`() {
  let searchResponses = PendingResponses<Void, [String]>()
  let probe = ScreenProbe(recordedSearch { _ in try await searchResponses.next(for: ()) })
  probe.send(.term("a"))
  probe.advance(by: .milliseconds(530))
  probe.send(.term("ab"))
  probe.advance(by: .milliseconds(500))
  probe.suspend()
  probe.resume()
  probe.advance(by: .milliseconds(20))
  searchResponses.reply(.success(["ab 1", "ab <\u{23}2#>"]), to: 2)
  probe.settle()
  probe.advance(by: .milliseconds(10))
  probe.send(.submit)
  searchResponses.reply(.failure(TracedError(message: "It broke.")), to: 2)
  probe.settle()
  searchResponses.reply(.failure(CancellationError()))
  searchResponses.reply(.failure(CancellationError()))
  probe.settle()
  #expect(
    probe.stateText == #"""
      field.text: "ab"
      field.query: "ab"
      field.hint: nil
      field.term: "ab"
      results: .failed
      results.failed: LoadFailure(message: "It broke.")
      results.failed.last[0]: "ab 1"
      results.failed.last[1]: "ab <\u{23}2#>"
      results.failed.asOf: nil
      """#)
}

private struct TracedError: LocalizedError, RetryAfterError {
  let message: String
  var retryAfter: Duration?
  var errorDescription: String? { message }
}
