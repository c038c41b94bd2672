import CoreMetrics
import CurlewScreens
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// Sends one action to its session's screen.
  func respond(to request: Request) async -> Response {
    guard isSameOrigin(request) else {
      return refusal(.forbidden, "This page accepts events only from its own origin.")
    }
    guard let body = await body(of: request) else {
      return refusal(.contentTooLarge, "The event exceeds \(limits.messageSize) bytes.")
    }
    guard let message: LiveMessage = decoded(body) else {
      return refusal(.badRequest, "The event is malformed.")
    }
    guard let session = sessions[request.headers] else {
      return refusal(.notFound, "The session has ended.")
    }
    // Of a tab that does not hear its stream: the version of what it shows.
    let version = request.headers[.liveVersion].flatMap { Int($0) }
    if version != nil {
      session.poll(
        insteadOf: request.headers[.liveStream].flatMap { Int($0) } ?? 0,
        until: sessions.now + Self.pollTime + Self.pollGrace, at: sessions.now)
    }
    if request.headers[.liveWent] != nil { _ = session.navigator.take() }
    if message.name == LiveMessage.wait {
      guard let version else { return refusal(.badRequest, "The poll request has no version.") }
      return await changes(in: session, since: version, waiting: true)
    }
    let refusal = session.apply(message.number, at: { sessions.now }) {
      events.increment()
      return apply(message, to: session)
    }
    if let refusal { return refusal }
    guard let version else { return .done }
    return await changes(in: session, since: version, waiting: false)
  }

  /// Sends a message's action to its screen; returns the response when it is refused.
  private func apply(_ message: LiveMessage, to session: Session) -> Response? {
    if message.name == LiveMessage.navigate {
      guard let query = page.query(of: message.value) else {
        return refusal(.badRequest, "The address does not belong to this page.")
      }
      navigate(session.runner, to: query, message.value, session.timeline)
    } else if let event = page.event(for: message.action) {
      session.runner.send(event)
    } else {
      return refusal(.badRequest, "This page does not support this action.")
    }
    return nil
  }

  /// The longest that a question waits for a change.
  private static var pollTime: Duration { .seconds(10) }
  /// How late the next question may be.
  private static var pollGrace: Duration { .seconds(10) }

  /// Returns what has changed since the version that a tab shows.
  ///
  /// - Parameter waiting: Whether to wait for a change while the screen works.
  private func changes(
    in session: Session, since version: Int, waiting: Bool
  ) async -> Response {
    var changes = LiveChanges(self, in: session, since: version)
    // Read before the state, so that a screen that is said to be done is.
    var isWorking = session.runner.isWorking
    let isNew = session.isNew(to: version)
    var update = changes.response()
    if waiting, isWorking, !update.hasChanges, update.address == nil {
      await settle(session.runner, for: Self.pollTime) { [state = changes.state] in $0 != state }
      isWorking = session.runner.isWorking
      let acknowledged = update.acknowledged
      update = changes.response()
      update.acknowledged = update.acknowledged ?? acknowledged
    }
    if isNew { update.isNew = true }
    if isWorking { update.isWorking = true }
    return .json(ByteBuffer(string: update.json))
  }

  /// Returns the content of a request; `nil` when it is too large.
  func body(of request: Request) async -> ByteBuffer? {
    var request = request
    return try? await request.collectBody(upTo: limits.messageSize)
  }

  /// Returns a value that is sent as JSON; `nil` for anything else.
  func decoded<Value: Decodable>(_ body: ByteBuffer) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
  }

  /// Responds to a form that a browser without JavaScript sends: with where it leads, or with the
  /// page as it is after it.
  ///
  /// Its field ``submitField`` names the action.
  func submission(for request: Request) async throws -> Response {
    let words = texts.isEmpty ? .current : texts[language(of: request.headers)]
    guard let body = await body(of: request) else {
      return refusal(.contentTooLarge, words.tooLongToSend)
    }
    let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    let isForm = type == "application/x-www-form-urlencoded"
    let fields = LiveQuery(isForm ? String(buffer: body) : "")
    guard let name = fields[Self.submitField] else {
      return refusal(.methodNotAllowed)
    }
    guard isSameOrigin(request) else {
      return refusal(.forbidden, words.otherOrigin)
    }
    guard let event = page.event(for: LiveAction(name: name, fields: fields)) else {
      return refusal(.badRequest, words.unknownAction)
    }
    events.increment()
    return try await document(for: request, sending: event)
  }

  /// The name of the field in which a form without JavaScript has its action.
  static var submitField: String { "live:submit" }

  /// Returns whether a request has the site's own origin, which browsers send with every `POST`
  /// (WHATWG Fetch section 3.2).
  func isSameOrigin(_ request: Request) -> Bool {
    guard let origin = request.headers[.origin], let host = request.head.authority else {
      return false
    }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}
