import Foundation

extension ServerSentEvents {
  /// The data of the events of all types, decoded as the endpoint's `Response`.
  ///
  /// Data that can't be decoded ends the stream with ``Client/Error/decoding(_:)``.
  ///
  /// ```swift
  /// for try await issue in client.events(Issues.opened).values { show(issue) }
  /// ```
  public var values: some AsyncSequence<Value, Client.Error> & Sendable {
    IteratorSequence {
      Values(stream: self, decoding: endpoint.request.decoding, events: Iterator(self))
    }
  }

  /// An iterator over the values; the transfer ends when it is released.
  private struct Values: AsyncIteratorProtocol {
    let stream: ServerSentEvents
    let decoding: ResponseDecoding<Value>
    var events: Iterator

    /// Returns the value of the next event; `nil` when the server has ended the stream permanently.
    ///
    /// - Throws: ``Client/Error``.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Value? {
      guard let event = try await events.next(isolation: actor), let response = events.response
      else { return nil }
      do throws(Client.Error) {
        return try stream.client.decode(
          Data(event.data.utf8), decoding, in: response.head, of: response.request)
      } catch {
        events.end()
        throw error
      }
    }
  }
}
