/// The values that several servers share, by an engine such as Redis: `Fleet` in CurlewFleet.
///
/// No call waits long for the engine: while it is away, values are this server's own.
public protocol ServerValues: Sendable {
  /// The name of this server, which no other process has.
  var server: String { get }

  /// Returns the text of a key; `nil` for none.
  func text(_ key: String) async -> String?

  /// Stores a text, or removes it.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - text: The text; `nil` removes it.
  ///   - lease: A lease that this server must still hold; `nil` for none.
  ///   - expires: The time after which the text is forgotten.
  /// - Returns: Whether the text is stored.
  @discardableResult
  func set(
    _ key: String, _ text: String?, lease: (key: String, number: Int64)?, expires: Duration
  ) async -> Bool

  /// Takes or extends a lease; returns `nil` while another server holds it.
  ///
  /// The text of its key is the name of the server that holds it. The number is negative while the engine is away: other
  /// servers may have the lease, too.
  func lease(_ key: String, for time: Duration) async -> (key: String, number: Int64)?

  /// Ends a lease.
  func release(_ lease: (key: String, number: Int64)) async

  /// Returns the keys with a prefix that have changed, with their versions, as soon as that is known; `nil` if news may have
  /// been lost.
  func news(of prefix: String) -> AsyncStream<(key: String, version: Int64)?>
}
