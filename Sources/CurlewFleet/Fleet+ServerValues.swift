public import CurlewSupport

/// The texts of a fleet's values, for live pages.
extension Fleet: ServerValues {
  /// Returns the newest text of a key; `nil` for none.
  public func text(_ key: String) async -> String? {
    await value(key).bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores a text, or removes it; returns false if the lease is lost or the text is too large.
  public func set(
    _ key: String, _ text: String?, lease: FleetLease?, expires: Duration
  ) async -> Bool {
    let bytes = text.map { Array($0.utf8) }
    return (try? await set(key, bytes, lease: lease, expires: expires)) != nil
  }

  /// Returns the keys with a prefix that have changed.
  public func changes(of prefix: String) -> AsyncStream<String> {
    let mailbox = mailbox(prefix)
    return AsyncStream {
      while let news = await mailbox.next() { if let news { return news.key } }
      return nil
    }
  }
}
