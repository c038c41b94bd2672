import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// An alert's text, in the user's language.
@Suite(.timeLimit(.minutes(1)))
struct AlertTextTests {
  private struct Busy: LocalizedError, RetryAfterError {
    var retryAfter: Duration? { .seconds(7) }
    var errorDescription: String? { "Busy. Try again in 7 seconds." }
    var failureReason: String? { "Busy." }
  }

  private struct Unknown: Error {}

  private func alert(_ error: any Error) throws -> ScreenActivity.Alert {
    let responses = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Search { try await responses.next(for: $0) })
    probe.send(.term("a"))
    probe.send(.submit)
    responses.reply(.failure(error))
    probe.settle()
    return try #require(probe.activity.alerts.first)
  }

  @Test func `an alert counts down in both languages`() throws {
    let alert = try alert(Busy())
    #expect(alert.message == "Busy. Trying again in 7 s.")
    let vietnamese = UserTexts.vietnamese.show { alert.message }
    #expect(vietnamese == "Busy. Tự động thử lại sau 7 giây.")
  }

  @Test func `an error without words has some in both languages`() throws {
    let failure = try alert(Unknown()).failure
    #expect(failure.message == "Something went wrong. Try again.")
    #expect(UserTexts.vietnamese.show { failure.message } == "Đã xảy ra lỗi. Vui lòng thử lại.")
  }
}
