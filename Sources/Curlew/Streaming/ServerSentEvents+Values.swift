import Foundation

extension ServerSentEvents {
  /// The data of the events, decoded as the endpoint's `Response`, whatever their types.
  ///
  /// Data that can't be decoded ends the stream with ``Client/Error/decoding(_:)``.
  ///
  /// ```swift
  /// for try await issue in client.events(Issues.opened).values { show(issue) }
  /// ```
  public var values: Values { Values(events: self) }

  /// The decoded data of the events of a stream.
  public struct Values: AsyncSequence, Sendable {
    /// The value of an event.
    public typealias Element = Value
    /// The error that ends the stream.
    public typealias Failure = Client.Error

    fileprivate let events: ServerSentEvents

    /// An iterator over the values; the transfer ends when it is released.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let client: Client
      fileprivate let decoding: ResponseDecoding<Value>
      fileprivate var events: ServerSentEvents.AsyncIterator

      /// Returns the value of the next event; `nil` when the server has ended the stream for good.
      ///
      /// - Throws: ``Client/Error``.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Client.Error) -> Value? {
        guard let event = try await events.next(isolation: actor), let response = events.response
        else { return nil }
        do throws(Client.Error) {
          return try client.decode(
            Data(event.data.utf8), decoding, in: response.head, of: response.request)
        } catch {
          events.end()
          throw error
        }
      }

      /// Returns the value of the next event; `nil` when the server has ended the stream for good.
      ///
      /// - Throws: ``Client/Error``.
      public mutating func next() async throws(Client.Error) -> Value? {
        try await next(isolation: nil)
      }
    }

    /// Returns an iterator, which connects when its first value is asked for.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(
        client: events.client, decoding: events.endpoint.decoding,
        events: events.makeAsyncIterator())
    }
  }
}
