/// A type-erased asynchronous sequence of a changing value, with its current value.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// The error that the sequence throws.
  public typealias Failure = any Error

  private let makeNext: @Sendable () -> () async throws -> Element?
  private let present: @Sendable () -> Element?

  /// Creates a sequence from a source, which is read only when the next element is requested.
  ///
  /// - Parameters:
  ///   - current: A closure that returns the source's current element; `nil` if there is none.
  ///   - element: A closure that transforms an element of the source; `nil` skips the element.
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

  /// A sequence that ends immediately, without a current value.
  public static var empty: Updates { Updates(AsyncStream<Element>(unfolding: { nil })) { $0 } }

  /// The current value; `nil` if unknown.
  public var current: Element? { present() }

  /// An iterator.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let read: () async throws -> Element?

    /// Waits for the next element, and returns it; `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? { try await read() }

    /// Waits for the next element, and returns it; `nil` at the end.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }
  }

  /// Returns an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: makeNext()) }
}
