public import Foundation
import Synchronization

/// Collects the body of a response in memory, and stores it when it is complete.
public final class CollectingCacheWriter: CacheWriter {
  private let response: StoredResponse
  private let room: Int
  private let store: @Sendable (StoredResponse, Data) async -> Bool
  /// The chunks so far; `nil` once they are too large.
  private let body = Mutex<Data?>(Data())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - room: The maximum size of the body.
  ///   - store: Stores the response with its body; returns whether it is stored.
  public init(
    _ response: StoredResponse, room: Int,
    store: @escaping @Sendable (StoredResponse, Data) async -> Bool
  ) {
    (self.response, self.room, self.store) = (response, room, store)
  }

  public func append(_ chunk: Data) async -> Bool {
    body.withLock { body in
      guard let size = body?.count, size + chunk.count <= room else {
        body = nil
        return false
      }
      // Usually the only chunk: shared, not copied.
      if size == 0 { body = chunk } else { body?.append(chunk) }
      return true
    }
  }

  public func finish() async -> Bool {
    guard let body = body.withLock({ $0 }) else { return false }
    var response = response
    response.bodySize = Int64(body.count)
    return await store(response, body)
  }
}
