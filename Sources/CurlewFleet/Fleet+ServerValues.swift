public import CurlewSupport

/// The texts of a fleet's values, for live pages.
extension Fleet: ServerValues {
  /// Returns the newest text of a key; `nil` for none.
  public func text(_ key: String) async -> String? {
    await value(key).bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores a text, or removes it; returns false if the lease is lost or the text is too large.
  public func set(
    _ key: String, _ text: String?, lease: (key: String, number: Int64)?, expires: Duration
  ) async -> Bool {
    do throws(FleetError) {
      try await set(
        key, text.map { Array($0.utf8) }, lease: lease.map { FleetLease(key: $0, number: $1) },
        expires: expires)
      return true
    } catch {
      return false
    }
  }

  /// Takes or extends a lease; returns its number, or `nil` while another server holds it.
  public func leaseNumber(_ key: String, for time: Duration) async -> Int64? {
    await lease(key, for: time)?.number
  }

  /// Ends a lease.
  public func release(_ key: String, _ number: Int64) async {
    await release(FleetLease(key: key, number: number))
  }

  /// Returns the keys with a prefix that have changed.
  public func changes(of prefix: String) -> AsyncStream<String> {
    let (changes, change) = AsyncStream.makeStream(of: String.self)
    let news = news(of: prefix)
    let task = Task {
      for await news in news { if let key = news.key { change.yield(key) } }
      change.finish()
    }
    change.onTermination = { _ in task.cancel() }
    return changes
  }
}
