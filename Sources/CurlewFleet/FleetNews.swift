import Synchronization

extension Fleet {
  /// Returns the news of all keys with a prefix; `nil`, as at the beginning, asks to read everything.
  ///
  /// A lost message costs time, never truth: after each loss, at intervals, and for a consumer that is 1,000 news behind
  /// comes `nil`.
  public func news(of prefix: String) -> AsyncStream<(key: String, version: Int64)?> {
    subscribers.stream(beginningWith: nil) { $0?.key.hasPrefix(prefix) ?? true }
  }

  /// Returns the value of a key now and whenever it has another version.
  public func values(of key: String) -> some AsyncSequence<FleetValue, Never> & Sendable {
    let last = Mutex<FleetValue?>(nil)
    return news(of: key).compactMap { [self] news in
      let known = last.withLock { $0 }
      let isKnown = news.map { $0.version > 0 && $0.version <= known?.version ?? 0 } ?? false
      // A longer key may have the same beginning.
      if isKnown || news?.key ?? key != key { return nil }
      let value = await value(key)
      guard value != known else { return nil }
      last.withLock { $0 = value }
      return value
    }
  }
}

/// The consumers of a stream of elements.
final class Subscribers<Element: Sendable>: Sendable {
  private typealias Subscriber = (
    first: Element, isIncluded: @Sendable (Element) -> Bool,
    continuation: AsyncStream<Element>.Continuation
  )

  private let all = Mutex<[Int: Subscriber]>([:])

  /// Returns the elements that are sent from now on.
  ///
  /// - Parameters:
  ///   - first: The first element, which comes again if elements are lost: when 1,000 wait.
  ///   - isIncluded: A closure that returns whether an element is part of the stream.
  func stream(
    beginningWith first: Element, where isIncluded: @escaping @Sendable (Element) -> Bool
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1_000))
    let number = all.withLock { all in
      let number = (all.keys.max() ?? 0) + 1
      all[number] = (first, isIncluded, continuation)
      return number
    }
    continuation.onTermination = { [weak self] _ in
      self?.all.withLock { _ = $0.removeValue(forKey: number) }
    }
    continuation.yield(first)
    return stream
  }

  func send(_ element: Element) {
    for subscriber in all.withLock({ Array($0.values) }) where subscriber.isIncluded(element) {
      if case .dropped = subscriber.continuation.yield(element) {
        subscriber.continuation.yield(subscriber.first)
      }
    }
  }
}
