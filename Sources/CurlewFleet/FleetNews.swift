import CurlewSupport
import Synchronization

/// News of a fleet: a key has a new version.
public struct FleetNews: Sendable, Equatable {
  /// The key; `nil` if news may have been lost, so that everything has to be read again.
  public var key: String?
  /// The new version; 0 without a key.
  public var version: Int64

  /// Creates news.
  public init(key: String? = nil, version: Int64 = 0) { (self.key, self.version) = (key, version) }
}

/// The news that a subscriber has not consumed yet: the newest version of each key.
final class NewsMailbox: Sendable {
  private struct State {
    /// Begins with the news without a key: the subscriber has read nothing yet.
    var isStale = true
    var versions: [String: Int64] = [:]
    var waiter: Waiter<Void>?
  }

  /// The number of keys after which the subscriber reads everything again.
  private static let maxKeys = 1_000

  let prefix: String
  private let state = Mutex(State())

  init(prefix: String) { self.prefix = prefix }

  func post(_ news: FleetNews) {
    let ended = state.withLock { state -> Waiter<Void>.Ended? in
      if let key = news.key {
        guard key.hasPrefix(prefix) else { return nil }
        if !state.isStale { state.versions[key] = news.version }
      }
      if news.key == nil || state.versions.count > Self.maxKeys {
        (state.isStale, state.versions) = (true, [:])
      }
      defer { state.waiter = nil }
      return state.waiter?.end()
    }
    ended?.resume()
  }

  /// Returns the next news; `nil` when the task is cancelled.
  func next() async -> FleetNews? {
    while !Task.isCancelled {
      let waiter = Waiter<Void>()
      let news = state.withLock { state -> FleetNews? in
        if state.isStale {
          state.isStale = false
          return FleetNews()
        }
        if let (key, version) = state.versions.first {
          state.versions[key] = nil
          return FleetNews(key: key, version: version)
        }
        state.waiter = waiter
        return nil
      }
      if let news { return news }
      try? await waiter.value()
    }
    return nil
  }
}

extension Fleet {
  /// Returns the news of all keys with a prefix; the first has no key, and asks to read everything.
  ///
  /// A lost message costs time, never truth: after each loss, and at intervals, comes news without a key. A slow consumer gets
  /// the newest version of each key.
  public func news(of prefix: String) -> some AsyncSequence<FleetNews, Never> & Sendable {
    NewsSequence(fleet: self, prefix: prefix)
  }

  /// Returns the value of a key now and whenever it has another version.
  public func values(of key: String) -> some AsyncSequence<FleetValue, Never> & Sendable {
    ValueSequence(fleet: self, key: key)
  }
}

private struct NewsSequence: AsyncSequence, Sendable {
  let fleet: Fleet
  let prefix: String

  final class Iterator: AsyncIteratorProtocol {
    private let fleet: Fleet
    private let mailbox: NewsMailbox

    init(_ fleet: Fleet, _ prefix: String) {
      (self.fleet, mailbox) = (fleet, NewsMailbox(prefix: prefix))
      fleet.add(mailbox)
    }

    deinit { fleet.remove(mailbox) }

    func next() async -> FleetNews? { await mailbox.next() }
    func next(isolation: isolated (any Actor)?) async -> FleetNews? { await mailbox.next() }
  }

  func makeAsyncIterator() -> Iterator { Iterator(fleet, prefix) }
}

private struct ValueSequence: AsyncSequence, Sendable {
  let fleet: Fleet
  let key: String

  struct Iterator: AsyncIteratorProtocol {
    let fleet: Fleet
    let key: String
    let news: NewsSequence.Iterator
    var last: FleetValue?

    mutating func next() async -> FleetValue? { await next(isolation: #isolation) }

    mutating func next(isolation: isolated (any Actor)?) async -> FleetValue? {
      while let news = await news.next(isolation: isolation) {
        // A longer key with the same beginning.
        guard news.key ?? key == key, news.key == nil || news.version != last?.version else {
          continue
        }
        let value = await fleet.value(key)
        guard value != last else { continue }
        last = value
        return value
      }
      return nil
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(fleet: fleet, key: key, news: NewsSequence.Iterator(fleet, key))
  }
}
