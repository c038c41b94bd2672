public import CurlewSupport
import Foundation

/// The values of an endpoint: the stored one, then the current one if it differs; from
/// ``Client/values(of:)-(E)``.
///
/// Each iteration begins anew. Cancelling the task that iterates stops the request.
public struct CachedValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A value, and when the server sent or validated it.
  public typealias Element = Dated<Value>
  /// The error that ends the values when there is no current one, as when the server can't be reached.
  public typealias Failure = Client.Error

  private let load: @Sendable (CacheUse, Data?) async throws(Client.Error) -> Loaded?

  /// A value with the bytes that it was decoded from.
  fileprivate struct Loaded: Sendable {
    let value: Dated<Value>
    let data: Data
  }

  init<E: Endpoint<Value>>(client: Client, endpoint: E) {
    load = { use, known async throws(Client.Error) in
      try await client.load(endpoint, use, unless: known).map { value, data in
        Loaded(value: value, data: data)
      }
    }
  }

  /// An iterator over the values of an endpoint.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum Step {
      case stored
      case current(Data?)
      case end
    }

    private let load: @Sendable (CacheUse, Data?) async throws(Client.Error) -> Loaded?
    private var step = Step.stored

    fileprivate init(_ values: CachedValues) {
      load = values.load
    }

    /// Returns the next value; `nil` when the last one is current.
    ///
    /// - Throws: ``Client/Error``.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Dated<Value>? {
      if case .stored = step {
        if let stored = try await stored() {
          step = .current(stored.data)
          return stored.value
        }
        step = .current(nil)
      }
      guard case .current(let known) = step else { return nil }
      step = .end
      return try await load(CacheUse(isCurrent: true), known)?.value
    }

    /// Returns the next value; `nil` when the last one is current.
    ///
    /// - Throws: ``Client/Error``.
    public mutating func next() async throws(Client.Error) -> Dated<Value>? {
      try await next(isolation: nil)
    }

    private func stored() async throws(Client.Error) -> Loaded? {
      do {
        return try await load(CacheUse(mode: .only), nil)
      } catch {
        if case .cancelled = error { throw error }
        return nil
      }
    }
  }

  /// Returns an iterator, which asks the cache and then the server.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
