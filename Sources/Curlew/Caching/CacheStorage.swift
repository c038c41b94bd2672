public import Foundation

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
