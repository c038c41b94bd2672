import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport

/// The values of a load, which a test replies to one by one; `nil` ends them.
///
/// It pays no heed to cancellation: a late value still comes.
struct Values<Request: Sendable, Value: Sendable>: AsyncSequence, AsyncIteratorProtocol {
  typealias Replies = Transfers<Request, Dated<Value>?>

  let replies: Replies
  let request: Request

  init(_ replies: Replies, for request: Request) {
    (self.replies, self.request) = (replies, request)
  }

  func next() async throws -> Dated<Value>? { try await replies.next(for: request) }

  func makeAsyncIterator() -> Self { self }
}

extension Date {
  /// A moment by its seconds.
  static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
}

extension Transfers {
  /// Delivers a value as of a moment to the sequence at an index.
  func deliver<Value>(_ value: Value, asOf seconds: Double, to index: Int = 0)
  where Response == Dated<Value>? {
    reply(.success(Dated(value, asOf: .at(seconds))), to: index)
  }
}
