import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// A load's values, to which a test replies individually; `nil` ends them.
///
/// It ignores cancellation: late values still arrive.
struct Values<Request: Sendable, Value: Sendable>: AsyncSequence, AsyncIteratorProtocol {
  typealias Replies = PendingResponses<Request, Dated<Value>?>

  let replies: Replies
  let request: Request

  init(_ replies: Replies, for request: Request) {
    (self.replies, self.request) = (replies, request)
  }

  func next() async throws -> Dated<Value>? { try await replies.next(for: request) }

  func makeAsyncIterator() -> Self { self }
}

extension Date {
  /// Returns a date by its seconds.
  static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
}

extension PendingResponses {
  /// Delivers a value with a date to the sequence at an index.
  func deliver<Value>(_ value: Value, asOf seconds: Double, to index: Int = 0)
  where Response == Dated<Value>? {
    reply(.success(Dated(value, asOf: .at(seconds))), to: index)
  }
}
