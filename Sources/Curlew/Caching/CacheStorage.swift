public import Foundation
public import HTTPTypes
import Synchronization

/// The storage of a cache, such as `MemoryCacheStorage` or CurlewSQLite's; several caches may share a storage.
///
/// A storage returns complete entries only: a response whose body was not stored to its end does not exist. An
/// entry that can't be read is missing, never an error. To stay within its size, the storage evicts the least
/// recently used entries.
public protocol CacheStorage: CallStep {
  /// Returns the responses that are stored under a key, with their bodies, in any order; none if they can't be
  /// read. Marks them as recently used.
  func entries(for key: CacheKey) async -> [CacheEntry]

  /// Begins to store a response; returns `nil` if it can't be stored, for example because it is too large.
  ///
  /// - Parameters:
  ///   - response: The response; its ``StoredResponse/bodySize`` is the announced `Content-Length`, or -1.
  ///   - key: The key under which it is stored.
  ///   - replaced: The entries under the key that it replaces when it is complete.
  func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)?

  /// Replaces the head, times and variant of a stored response and keeps its body; does nothing if the response
  /// is no longer stored.
  func update(_ response: StoredResponse, for key: CacheKey) async

  /// Removes responses under a key.
  func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async

  /// Removes all responses under a URL (``CacheKey/url``), for all accounts.
  func removeAll(at url: String) async

  /// Removes all responses of an account; `nil` removes the responses without an account.
  ///
  /// Responses that this instance is storing at that time are not stored.
  func removeAll(of account: String?) async

  /// Removes all responses, in the same way as ``removeAll(of:)``.
  func removeAll() async

  /// Gives memory back, as when the system warns; by default, does nothing.
  func freeMemory() async

  /// Returns all stored responses without their bodies, the most recently used first.
  func contents() async -> [(key: CacheKey, response: StoredResponse)]

  /// Returns the stored responses under a URL, for all accounts, without their bodies, the most recently used first.
  ///
  /// By default, it searches ``contents()``; a storage of many responses finds them by an index.
  ///
  /// - Parameters:
  ///   - url: The URL (``CacheKey/url``).
  ///   - andBelow: Whether to include the URLs below it: its path or query continues after it.
  func contents(
    at url: String, andBelow: Bool
  ) async -> [(key: CacheKey, response: StoredResponse)]
}

extension CacheStorage {
  /// Does nothing: the responses are not in memory.
  public func freeMemory() async {}

  /// Searches ``contents()`` for the stored responses under a URL.
  public func contents(
    at url: String, andBelow: Bool
  ) async -> [(key: CacheKey, response: StoredResponse)] {
    await contents().filter { $0.key.isAt(url, andBelow: andBelow) }
  }
}

/// A stored response with its body: in memory, or read from the storage in chunks.
///
/// If the response is removed while its body is read, reading throws a ``Client/TransportFailure`` of the kind
/// ``Client/TransportFailure/Kind/lost``, as for a lost connection.
public typealias CacheEntry = (response: StoredResponse, body: ResponseBody)

/// Receives the body of a response that is being stored.
///
/// Only one task at a time uses a writer. If the writer is released before ``finish()``, nothing is stored.
public protocol CacheWriter: Sendable {
  /// Appends a chunk; returns `false` when the response can't be stored any more, for example because it has
  /// become too large.
  func append(_ chunk: Data) async -> Bool

  /// Stores the response with its complete body; returns whether it is stored, or is going to be.
  func finish() async -> Bool
}

/// A response in a cache, without its body.
public struct StoredResponse: Sendable, Hashable, Identifiable, Codable {
  /// The identity of the stored body: each stored response gets a new id.
  public var id: UUID
  /// The normalised values of the request's fields that the response's `Vary` names, by their canonical
  /// (lowercase) names.
  ///
  /// Fields that the request did not have are missing. The values are never secrets.
  public var variant: [String: String]
  /// The response's status and header fields (RFC 9111 section 3.1: without connection-specific fields).
  public var head: HTTPResponse
  /// The date at which the request was sent, for the response's age (RFC 9111 section 4.2.3).
  public var requestTime: Date
  /// The date at which the response's head arrived, or the head of the last response that freshened it.
  public var responseTime: Date
  /// The size of the stored body in bytes.
  public var bodySize: Int64
  /// Whether the transport decoded the body's content coding.
  public var isDecoded: Bool
  /// Whether the response was marked as outdated, for example after a write that changed the resource
  /// (`ResponseCache.invalidate(_:andBelow:redaction:)`): it is validated before its next use.
  public var isOutdated = false

  /// Creates a stored response.
  public init(
    id: UUID = UUID(), variant: [String: String] = [:], head: HTTPResponse, requestTime: Date,
    responseTime: Date, bodySize: Int64 = 0, isDecoded: Bool = false
  ) {
    self.id = id
    self.variant = variant
    self.head = head
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodySize = bodySize
    self.isDecoded = isDecoded
  }
}

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
  ///   - response: The response; its ``StoredResponse/bodySize`` is set at the end.
  ///   - room: The maximum size of the body.
  ///   - store: Stores the response with its body; returns whether it is stored.
  public init(
    _ response: StoredResponse, room: Int,
    store: @escaping @Sendable (StoredResponse, Data) async -> Bool
  ) {
    (self.response, self.room, self.store) = (response, room, store)
  }

  /// Appends a chunk; returns `false` once the body is larger than the room.
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

  /// Stores the response with its body.
  public func finish() async -> Bool {
    guard let body = body.withLock({ $0 }) else { return false }
    var response = response
    response.bodySize = Int64(body.count)
    return await store(response, body)
  }
}
