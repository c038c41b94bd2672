/// A type-erased asynchronous sequence of the values that something takes, and its present value.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// The error that ends it.
  public typealias Failure = any Error

  private let makeNext: @Sendable () -> () async throws -> Element?
  private let present: @Sendable () -> Element?

  /// Creates a sequence out of another one, which is read when the next element is asked for.
  ///
  /// - Parameters:
  ///   - current: A closure that returns the present element of the source; `nil` if there is none.
  ///   - element: A closure that turns an element of the source into one of this sequence; `nil` leaves it out.
  public init<Source: AsyncSequence & Sendable & SendableMetatype>(
    _ source: Source, current: @escaping @Sendable () -> Source.Element? = { nil },
    element: @escaping @Sendable (Source.Element) -> Element?
  ) where Source.AsyncIterator: SendableMetatype {
    present = { current().flatMap(element) }
    makeNext = {
      var iterator = source.makeAsyncIterator()
      return {
        while let next = try await iterator.next(isolation: #isolation) {
          if let element = element(next) { return element }
        }
        return nil
      }
    }
  }

  /// A sequence that ends at once, without a present value.
  public static var empty: Updates { Updates(AsyncStream<Element>(unfolding: { nil })) { $0 } }

  /// The present value; `nil` while it is not known.
  public var current: Element? { present() }

  /// An iterator.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let read: () async throws -> Element?

    /// Returns the next element when there is one; `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? { try await read() }

    /// Returns the next element when there is one; `nil` at the end.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }
  }

  /// Returns an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: makeNext()) }
}
