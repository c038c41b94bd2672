import Curlew
import CurlewSupport
import Synchronization

/// The consumers of a store's announcements.
final class Announcer: Sendable {
  let consumers = Mutex<[Int: AsyncStream<String>.Continuation]>([:])
}

extension Store {
  /// Returns a text for each URL whose data a write of this store has changed, for the stores of other servers.
  ///
  /// ```swift
  /// await fleet.exchange("store", store.announcements()) { await store.receive($0) }
  /// ```
  ///
  /// A text contains the URL with fingerprints of its secrets, and no data.
  public func announcements() -> AsyncStream<String> {
    let (stream, consumer) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingOldest(1_000))
    let number = announcer.consumers.withLock { consumers in
      let number = (consumers.keys.max() ?? 0) + 1
      consumers[number] = consumer
      return number
    }
    consumer.onTermination = { [announcer] _ in
      announcer.consumers.withLock { _ = $0.removeValue(forKey: number) }
    }
    return stream
  }

  /// Marks the data that a write of another server's store has changed as stale; reloads the entries with active consumers,
  /// by conditional requests if the client has a cache.
  ///
  /// - Parameter announcement: The text of the other store's ``announcements()``; `nil` for all data, when texts may have been lost.
  public func receive(_ announcement: String?) async {
    var stale = StaleData()
    switch announcement?.first {
    case nil: stale.urls = change { tables in Set(tables.entries.values.map(\.request.url)) }
    case "=": stale.urls = [Bytewise(String(announcement?.dropFirst() ?? ""))]
    case "/": stale.paths = [String(announcement?.dropFirst() ?? "")]
    default: return
    }
    await invalidate(stale, isAnnounced: false)
  }

  func announce(_ stale: StaleData) {
    let consumers = announcer.consumers.withLock { Array($0.values) }
    guard !consumers.isEmpty else { return }
    for text in stale.urls.map({ "=\($0.text)" }) + stale.paths.map({ "/\($0)" }) {
      for consumer in consumers { consumer.yield(text) }
    }
  }
}
