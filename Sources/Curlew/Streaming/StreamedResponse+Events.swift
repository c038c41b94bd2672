extension StreamedResponse {
  /// The server-sent events of this one response, as they arrive; can be iterated once.
  ///
  /// For an API that streams the response to a request as events, such as the tokens of a language
  /// model. The end of the body ends the sequence; an event that is incomplete then is dropped.
  /// ``Client/events(_:policy:)`` reconnects.
  public var events: some AsyncSequence<ServerSentEvent, Client.Error> & Sendable {
    IteratorSequence { Events(self) }
  }

  /// An iterator over the events of a response.
  struct Events: AsyncIteratorProtocol {
    /// `nil` after the end, so that the transfer ends, too.
    private var chunks: StreamedResponse.Iterator?
    private(set) var parser: ServerSentEventParser
    private let request: OutgoingRequest

    init(_ response: StreamedResponse, lastEventID: String = "") {
      chunks = response.iterator()
      request = response.request
      parser = ServerSentEventParser(
        lastEventID: lastEventID, limit: request.limits.eventSize)
    }

    /// Returns the next event; `nil` at the end of the body.
    ///
    /// - Throws: ``Client/Error``: ``Client/Error/tooLarge(_:)`` for an event that exceeds
    ///   ``Limits/eventSize``.
    mutating func next(
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

    private mutating func nextOfChunk() throws(Client.Error) -> ServerSentEvent? {
      do {
        return try parser.next()
      } catch {
        throw request.tooLarge(.eventSize, request.limits.eventSize)
      }
    }
  }
}
