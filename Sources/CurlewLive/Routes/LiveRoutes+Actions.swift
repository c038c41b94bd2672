import CoreMetrics
import CurlewJSON
import CurlewScreens
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// Sends one action of a visitor to its session's screen.
  func respond(to request: Request, by admission: Admitted) async throws -> Response {
    guard request.isSameOrigin else {
      return refusal(.forbidden, "This page accepts events only from its own origin.")
    }
    let ended = refusal(.notFound, "The session has ended.")
    // Before the body, which only the session's own tab may send.
    guard let session = sessions.session(of: request.headers, for: admission.visitor) else {
      return ended
    }
    if let busy = tooManyActions(by: admission) { return busy }
    guard let body = try await body(of: request) else {
      return tooLarge
    }
    // The visitor may have signed out while the body arrived.
    guard sessions[session.id] === session else { return ended }
    guard let message: LiveMessage = decoded(body) else {
      return refusal(.badRequest, "The event is malformed.")
    }
    // The version that the tab shows; sent only by a tab that receives nothing on its stream.
    let version = request.headers[.liveVersion].flatMap { Int($0) }
    if version != nil {
      session.poll(
        insteadOf: request.headers[.liveStream].flatMap { Int($0) } ?? 0,
        until: sessions.now + Self.pollTime + Self.pollGrace, at: sessions.now)
    }
    if request.headers[.liveNavigated] != nil { _ = session.navigator.take() }
    if message.name == LiveMessage.wait {
      guard let version else { return refusal(.badRequest, "The poll request has no version.") }
      let changes = await changes(in: session, to: message.number, since: version, waiting: true)
      return sessions[session.id] === session ? changes : ended
    }
    let refusal = session.apply(message.number, orEnd: ended, at: { sessions.now }) {
      events.increment()
      return apply(message, to: session)
    }
    if let refusal { return refusal }
    guard let version else { return .done }
    return await changes(in: session, to: message.number, since: version, waiting: false)
  }

  /// The response to a request that is too large.
  var tooLarge: Response {
    refusal(.contentTooLarge, "The event exceeds \(limits.messageSize) bytes.")
  }

  /// Sends a message's action to its screen; returns the error response if the action is refused.
  private func apply(_ message: LiveMessage, to session: Session) -> Response? {
    if message.name == LiveMessage.navigate {
      guard let query = page.query(of: message.value) else {
        return refusal(.badRequest, "The address does not belong to this page.")
      }
      navigate(session.runner, to: query, message.value, session.timeline)
    } else if !page.send(message.action, to: session.runner, by: session.visitor) {
      return refusal(.badRequest, "This page does not support this action.")
    }
    return nil
  }

  /// The maximum time that a poll waits for a change.
  private static var pollTime: Duration { .seconds(10) }
  /// The additional time that the session waits for the next poll.
  private static var pollGrace: Duration { .seconds(10) }

  /// Returns the response with the changes since the version that a tab shows.
  ///
  /// - Parameter waiting: Whether to wait for a change while the screen has running work.
  private func changes(
    in session: Session, to message: Int, since version: Int, waiting: Bool
  ) async -> Response {
    var changes = LiveChanges(self, in: session, to: message, since: version)
    // Read before the state: if no work is running, the state that is read afterwards is final.
    var isWorking = session.runner.isWorking
    let isNew = session.isNew(to: version)
    var update = changes.response()
    if waiting, isWorking, !update.hasChanges, update.address == nil {
      await settle(session.runner, for: Self.pollTime) {
        [snapshot = changes.snapshot] in $0 != snapshot
      }
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
  func body(of request: Request) async throws -> ByteBuffer? {
    do {
      return try await request.body.collect(upTo: limits.messageSize)
    } catch is NIOTooManyBytesError {
      return nil
    }
  }

  /// Decodes a value from JSON; returns `nil` if the JSON is malformed.
  func decoded<Value: Decodable>(_ body: ByteBuffer) -> Value? {
    try? FastJSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
  }

  /// Responds to a form from a browser without JavaScript: with a redirect to where the screen navigates, or to the page
  /// after the form's event.
  ///
  /// The form's field ``submitField`` contains the name of the action.
  ///
  /// - Parameter admit: Asks who has sent the form: once it has arrived, because the visitor may sign out meanwhile.
  func submission(
    for request: Request, by admit: () async throws -> Admitted
  ) async throws -> Response {
    let words = texts.isEmpty ? .current : texts[language(of: request.headers)]
    guard let body = try await body(of: request) else {
      return refusal(.contentTooLarge, words.tooLongToSend)
    }
    let admission = try await admit()
    let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    let isForm = type == "application/x-www-form-urlencoded"
    let fields = LiveQuery(isForm ? String(buffer: body) : "")
    guard let name = fields[Self.submitField] else {
      return hasForm(in: request) ? refusal(.badRequest, words.unknownAction) : notAllowed(request)
    }
    guard request.isSameOrigin else {
      return refusal(.forbidden, words.otherOrigin)
    }
    if let busy = tooManyActions(by: admission) { return busy }
    let action = LiveAction(name: name, fields: fields)
    guard let event = page.event(for: action, by: admission.visitor) else {
      return refusal(.badRequest, words.unknownAction)
    }
    events.increment()
    return try await document(for: request, by: admission, sending: event)
  }

  /// Returns whether the page has a form for browsers without JavaScript, before any event.
  private func hasForm(in request: Request) -> Bool {
    show(in: language(of: request.headers)) {
      page.render(page.screen.initial, ScreenActivity()).text.contains(Self.submitField)
    }
  }

  /// Returns the response to a method that the page does not support.
  func notAllowed(_ request: Request) -> Response {
    let methods = hasForm(in: request) ? "GET, HEAD, POST" : "GET, HEAD"
    var response = refusal(.methodNotAllowed, "This page supports only \(methods).")
    response.headers[.allow] = methods
    return response
  }

  /// The name of the form field that contains the action's name, for browsers without JavaScript.
  static var submitField: String { "live:submit" }
}
