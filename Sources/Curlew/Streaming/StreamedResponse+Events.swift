extension StreamedResponse {
  /// The server-sent events of this one response, as they arrive; can be iterated once.
  ///
  /// For an API that streams the response to a request as events, such as the tokens of a language
  /// model. The end of the body ends the sequence; an event that is incomplete then is dropped.
  /// ``Client/events(_:policy:)-(E,_)`` reconnects.
  public var events: Events { Events(response: self) }

  /// The server-sent events of a response, as they arrive.
  public struct Events: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ends the events before the end of the body.
    public typealias Failure = Client.Error

    fileprivate let response: StreamedResponse

    /// An iterator over the events of a response.
    public struct AsyncIterator: AsyncIteratorProtocol {
      /// `nil` after the end, so that the transfer ends, too.
      private var chunks: StreamedResponse.AsyncIterator?
      private(set) var parser: ServerSentEventParser
      private let request: OutgoingRequest

      init(_ response: StreamedResponse, lastEventID: String = "") {
        chunks = response.makeAsyncIterator()
        request = response.request
        parser = ServerSentEventParser(
          lastEventID: lastEventID, limit: request.limits.eventSize)
      }

      /// Returns the next event; `nil` at the end of the body.
      ///
      /// - Throws: ``Client/Error``: ``Client/Error/tooLarge(_:)`` for an event that exceeds
      ///   ``Limits/eventSize``.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Client.Error) -> ServerSentEvent? {
        do throws(Client.Error) {
          while chunks != nil {
            if let event = try nextOfChunk() { return event }
            guard let chunk = try await chunks?.next(isolation: actor) else { break }
            parser.append(chunk)
          }
        } catch {
          chunks = nil
          throw error
        }
        chunks = nil
        return nil
      }

      /// Returns the next event; `nil` at the end of the body.
      ///
      /// - Throws: ``Client/Error``.
      public mutating func next() async throws(Client.Error) -> ServerSentEvent? {
        try await next(isolation: nil)
      }

      private mutating func nextOfChunk() throws(Client.Error) -> ServerSentEvent? {
        do {
          return try parser.next()
        } catch {
          throw request.tooLarge(.eventSize, request.limits.eventSize)
        }
      }
    }

    /// Returns an iterator over the events.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(response) }
  }
}
