import Foundation
import HTTPTypes

/// The server-sent events of an endpoint (WHATWG HTML section 9.2), with automatic reconnection.
///
/// Each iteration has its own connections. See ``Client/events(_:policy:until:)``.
public struct ServerSentEvents<Value: Sendable>: AsyncSequence, Sendable {
  let client: Client
  let endpoint: any Endpoint<Value>
  let policy: EventStreamPolicy
  let isEnd: (@Sendable (ServerSentEvent) -> Bool)?

  /// An iterator over the events; the transfer ends when it is released.
  struct Iterator: AsyncIteratorProtocol {
    private let client: Client
    private let endpoint: any Endpoint<Value>
    private let policy: EventStreamPolicy
    private let isEnd: (@Sendable (ServerSentEvent) -> Bool)?
    private var backoff: EventStreamBackoff
    private var lastEventID: String
    private var connection: ParsedChunks<ServerSentEventParser>?
    /// The newest response, for errors about its events.
    private(set) var response: StreamedResponse?
    private var hasEnded = false

    init(_ events: ServerSentEvents) {
      (client, endpoint, policy) = (events.client, events.endpoint, events.policy)
      isEnd = events.isEnd
      backoff = EventStreamBackoff(policy)
      lastEventID = policy.lastEventID
    }

    /// Returns the next event, after a reconnection if necessary; `nil` when the server has ended
    /// the stream permanently, with the status 204 or an event.
    ///
    /// - Throws: ``Client/Error``: see ``Client/events(_:policy:until:)``.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> ServerSentEvent? {
      do throws(Client.Error) {
        while !hasEnded {
          if let event = try await nextOfConnection(actor) { return event }
        }
        return nil
      } catch {
        end()
        throw error
      }
    }

    /// Ends the stream and its transfer.
    mutating func end() {
      (connection, response, hasEnded) = (nil, nil, true)
    }

    /// Returns the next event of the current or a new connection; `nil` after the wait that follows
    /// the end of a connection, or when the stream has ended.
    private mutating func nextOfConnection(
      _ actor: isolated (any Actor)?
    ) async throws(Client.Error) -> ServerSentEvent? {
      let failure: Client.Error?
      do throws(Client.Error) {
        if connection == nil {
          try await connect()
          if hasEnded { return nil }
        }
        let event = try await connection?.next(isolation: actor)
        update()
        if let event {
          backoff.eventArrived()
          guard isEnd?(event) != true else {
            end()
            return nil
          }
          return event
        }
        failure = nil
      } catch {
        update()
        failure = error
      }
      connection = nil
      try await waitForReconnection(after: failure)
      return nil
    }

    private mutating func connect() async throws(Client.Error) {
      var fields: HTTPFields = [.accept: "text/event-stream", .cacheControl: "no-store"]
      if !lastEventID.isEmpty { fields[.lastEventID] = lastEventID }
      do throws(Client.Error) {
        let response = try await client.stream(endpoint, fields)
        self.response = response
        guard response.head.status != .noContent else { return end() }
        try response.checkIsEventStream()
        connection = response.events(after: lastEventID)
      } catch {
        // An endpoint that accepts only 200 throws for a 204.
        guard error.status == .noContent else { throw error }
        end()
      }
    }

    /// Adopts the event ID and the reconnection time that the server set in this connection.
    private mutating func update() {
      guard let parser = connection?.parser else { return }
      lastEventID = parser.lastEventID
      if let time = parser.reconnectionTime { backoff.setReconnectionTime(time) }
    }

    private mutating func waitForReconnection(
      after failure: Client.Error?
    ) async throws(Client.Error) {
      guard endpoint.declaration.isRetryable else {
        if let failure { throw failure }
        return end()
      }
      let error = failure ?? lost()
      guard error.isRetryable, let wait = backoff.nextWait(retryAfter: requestedWait(error)) else {
        throw error
      }
      response = nil
      policy.willReconnect?(error, wait)
      let clock = client.storage.timers.clock
      do {
        try await clock.sleep(until: clock.now + wait)
      } catch {
        throw .cancelled
      }
    }

    /// Returns the wait that the server requests; for an unreadable value, the policy's longest wait.
    private func requestedWait(_ error: Client.Error) -> Duration? {
      if let wait = error.retryAfter { return wait }
      guard case .status(let failure) = error,
        failure.response.headerFields.hasUnreadableRetryAfter(now: Date())
      else { return nil }
      return policy.maximumDelay
    }

    /// Returns the error for a stream that the server ended regularly.
    private func lost() -> Client.Error {
      var failure = Client.TransportFailure(.lost, reason: "the server ended the stream")
      failure.request = response?.request.description ?? ""
      return .transport(failure)
    }
  }

  /// Returns an iterator, which connects when its first event is requested.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<ServerSentEvent, Client.Error>
    & SendableMetatype
  {
    Iterator(self)
  }
}

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
        return try await stream.client.decode(Data(event.data.utf8), decoding, in: response)
      } catch {
        events.end()
        throw error
      }
    }
  }
}

extension Client {
  /// Returns the server-sent events of an endpoint (WHATWG HTML section 9.2); reconnects when the
  /// stream is interrupted.
  ///
  /// ```swift
  /// for try await event in client.events(.get("/events")) { show(event.data) }
  /// ```
  ///
  /// The request is sent when the sequence is iterated, with `Accept: text/event-stream`. When the server ends
  /// the stream, the connection is lost or another retryable error occurs (``Error/isRetryable``), the sequence
  /// waits according to the policy and reconnects with the `Last-Event-ID` of the last event; it reads the
  /// endpoint's path and fields for each connection. The status 204 ends the stream, as does an event for which
  /// `isEnd` returns `true`. Any other error ends the
  /// stream and is thrown, including ``Error/decoding(_:)`` for a response that is not `text/event-stream`.
  ///
  /// An endpoint that is not retryable (``Request/retryable(_:)``), such as a `POST`, connects only once: the
  /// end of its body ends the stream.
  ///
  /// ``Limits/idle`` applies between two chunks: a stream that is silent for longer counts as lost and
  /// reconnects. Servers send comments to prevent that; if a server doesn't, set a longer limit in
  /// ``Request/limits(_:)``. ``Limits/eventSize`` limits each event. The transfer ends when the iterator is
  /// released or its task is cancelled.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint. Its `Response` is the type of ``ServerSentEvents/values``.
  ///   - policy: The reconnection policy and the starting point.
  ///   - isEnd: Returns whether an event is the stream's own end, such as the `[DONE]` of language models: it ends
  ///     the sequence, without a reconnection, and is not delivered; `nil` if the stream has no such event.
  public func events<E: Endpoint>(
    _ endpoint: E, policy: EventStreamPolicy = EventStreamPolicy(),
    until isEnd: (@Sendable (ServerSentEvent) -> Bool)? = nil
  ) -> ServerSentEvents<E.Response> {
    ServerSentEvents(client: self, endpoint: endpoint, policy: policy, isEnd: isEnd)
  }
}

extension HTTPField.Name {
  /// `Last-Event-ID` (WHATWG HTML section 9.2.4).
  static let lastEventID = Self("Last-Event-ID")!
}

extension StreamedResponse {
  /// Checks the response's content type.
  ///
  /// - Throws: ``Client/Error/decoding(_:)`` if it is not `text/event-stream`.
  func checkIsEventStream() throws(Client.Error) {
    let type = head.headerFields.mediaType
    if type?.type == "text", type?.subtype == "event-stream" { return }
    let text = head.headerFields[.contentType].map {
      request.redaction.redacting($0, secretsOf: request.head).shortened
    }
    throw .decoding(
      Client.DecodingFailure(
        request: request.description, type: "ServerSentEvent", codingPath: "",
        reason: "the response's content type is \(text ?? "missing"), not text/event-stream.",
        excerpt: "",
        kind: type?.subtype == "html" ? .webPage : .unexpected))
  }
}
