import CurlewSupport
import Synchronization

/// The news that a subscriber has not consumed yet: the newest version of each key.
final class NewsMailbox: Sendable {
  /// A key and its new version; `nil` if news may have been lost, so that everything has to be read again.
  typealias News = (key: String, version: Int64)?

  private struct State {
    /// Begins with the news without a key: the subscriber has read nothing yet.
    var isStale = true
    var versions: [String: Int64] = [:]
    var waiter: Waiter<Void>?
  }

  /// The number of keys after which the subscriber reads everything again.
  private static let maxKeys = 1_000

  private let prefix: String
  private let state = Mutex(State())

  init(prefix: String) { self.prefix = prefix }

  func post(_ news: News) {
    let ended = state.withLock { state -> Waiter<Void>.Ended? in
      if let news {
        guard news.key.hasPrefix(prefix) else { return nil }
        if !state.isStale { state.versions[news.key] = news.version }
      }
      if news == nil || state.versions.count > Self.maxKeys {
        (state.isStale, state.versions) = (true, [:])
      }
      defer { state.waiter = nil }
      return state.waiter?.end()
    }
    ended?.resume()
  }

  /// Returns the next news; `.none` when the task is cancelled.
  func next() async -> News? {
    while !Task.isCancelled {
      let waiter = Waiter<Void>()
      let news = state.withLock { state -> News? in
        if state.isStale {
          state.isStale = false
          return .some(nil)
        }
        if let (key, version) = state.versions.popFirst() { return (key, version) }
        state.waiter = waiter
        return .none
      }
      if let news { return news }
      try? await waiter.value()
    }
    return .none
  }
}

extension Fleet {
  /// Returns the news of all keys with a prefix; `nil`, as at the beginning, asks to read everything.
  ///
  /// A lost message costs time, never truth: after each loss, and at intervals, comes `nil`. A slow consumer gets
  /// the newest version of each key.
  public func news(of prefix: String) -> AsyncStream<(key: String, version: Int64)?> {
    let mailbox = mailbox(prefix)
    return AsyncStream { await mailbox.next() }
  }

  /// Returns the value of a key now and whenever it has another version.
  public func values(of key: String) -> AsyncStream<FleetValue> {
    let mailbox = mailbox(key)
    let last = Mutex<FleetValue?>(nil)
    return AsyncStream { [self] in
      while let news = await mailbox.next() {
        let known = last.withLock { $0 }
        // A longer key with the same beginning, or a version that the subscriber has.
        if let news, news.key != key || news.version == known?.version { continue }
        let value = await value(key)
        guard value != known else { continue }
        last.withLock { $0 = value }
        return value
      }
      return nil
    }
  }

  /// Returns the news of keys with a prefix from now on, for as long as the mailbox exists.
  func mailbox(_ prefix: String) -> NewsMailbox {
    let mailbox = NewsMailbox(prefix: prefix)
    state.withLock { $0.mailboxes.append { [weak mailbox] in mailbox } }
    return mailbox
  }

  func post(_ news: NewsMailbox.News) {
    let mailboxes = state.withLock { state in
      state.mailboxes.removeAll { $0() == nil }
      return state.mailboxes.compactMap { $0() }
    }
    for mailbox in mailboxes { mailbox.post(news) }
  }
}
