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
      var request = try client.streamedRequest(
        for: endpoint, [.accept: "text/event-stream", .cacheControl: "no-store"])
      if !lastEventID.isEmpty { request.head.headerFields[.lastEventID] = lastEventID }
      do throws(Client.Error) {
        let response = try await client.stream(request)
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
