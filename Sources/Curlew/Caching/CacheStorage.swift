public import Foundation

/// Where a cache keeps responses, such as ``MemoryCacheStorage`` or CurlewSQLite's; several caches may share one.
///
/// A storage never serves what it did not get as a whole: an entry is there with its complete body, or not at
/// all. What can't be read is missing, never an error. It stays within its size by removing what was used
/// least recently.
public protocol CacheStorage: Sendable {
  /// Returns the responses that are stored under a key, with their bodies, in any order; none if they can't
  /// be read. Counts as a use of them.
  func entries(for key: CacheKey) async -> [CacheEntry]

  /// Begins to store a response; returns `nil` if it can't be stored, for example because it is too large.
  ///
  /// - Parameters:
  ///   - response: The response; its ``StoredResponse/bodySize`` is what `Content-Length` announces, or -1.
  ///   - replaced: The entries under the key that it replaces when it is complete.
  func store(
    _ response: StoredResponse, for key: CacheKey, replacing replaced: [StoredResponse.ID]
  ) async -> (any CacheWriter)?

  /// Replaces the head, times and variant of a stored response, whose body stays; does nothing if it is gone.
  func update(_ response: StoredResponse, for key: CacheKey) async

  /// Removes responses under a key.
  func remove(_ ids: [StoredResponse.ID], for key: CacheKey) async

  /// Removes all responses under a URL (``CacheKey/url``), whatever their account.
  func removeAll(at url: String) async

  /// Removes all responses of an account; those without an account for `nil`.
  ///
  /// What is being stored meanwhile, through this instance, is not stored.
  func removeAll(of account: String?) async

  /// Removes everything, as ``removeAll(of:)``.
  func removeAll() async

  /// Returns what is stored, without bodies, the most recently used first.
  func contents() async -> [(key: CacheKey, response: StoredResponse)]
}

/// A stored response with its body: in memory, or read from the storage in chunks.
///
/// If it is removed while it is read, reading the body throws a ``Client/TransportFailure`` of the kind
/// ``Client/TransportFailure/Kind/lost``, as when a connection is lost.
public typealias CacheEntry = (response: StoredResponse, body: ResponseBody)

/// Receives the body of a response that is being stored.
///
/// It is used by one task at a time. When it is released before ``finish()``, nothing is stored.
public protocol CacheWriter: Sendable {
  /// Appends a chunk; returns `false` when the response can't be stored any more, for example because it has
  /// become too large.
  func append(_ chunk: Data) async -> Bool

  /// Stores the response, whose body is complete; returns whether it is stored.
  func finish() async -> Bool
}
