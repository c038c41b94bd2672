import CurlewScreens
import Foundation

/// A server that rejects requests for now.
struct Busy: LocalizedError, RetryAfterError {
  var retryAfter: Duration?

  init(_ retryAfter: Duration?) { self.retryAfter = retryAfter }

  var errorDescription: String? { "Busy. Try again later." }
  var failureReason: String? { "Busy." }
}
