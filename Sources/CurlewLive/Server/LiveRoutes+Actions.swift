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
    var request = request
    guard let body = try? await request.collectBody(upTo: limits.messageSize) else {
      return refusal(.contentTooLarge, "The event exceeds \(limits.messageSize) bytes.")
    }
    guard
      let message = try? JSONDecoder().decode(LiveMessage.self, from: Data(body.readableBytesView))
    else { return refusal(.badRequest, "The event is malformed.") }
    guard let session = sessions[request.headers] else {
      return refusal(.notFound, "The session has ended.")
    }
    let done = Response(status: .noContent, headers: [.cacheControl: "no-store"])
    guard session.receive(message.number) else { return done }
    events.increment()
    // Acknowledged after the event is applied, so that no earlier state claims to include it.
    defer { session.acknowledge(message.number, at: sessions.now) }
    if message.name == LiveMessage.navigate {
      guard let query = page.query(of: message.value) else {
        return refusal(.badRequest, "The address does not belong to this page.")
      }
      navigate(session.runner, to: query, message.value, session.timeline)
    } else if let event = page.event(for: message.action) {
      session.runner.send(event)
    } else {
      return refusal(.badRequest, "The action is unknown to this page.")
    }
    return done
  }

  /// Responds to a form that a browser without JavaScript sends: with where it leads, or with the
  /// page as it is after it.
  ///
  /// Its field ``submitField`` names the action.
  func submission(for request: Request) async throws -> Response {
    var request = request
    guard let body = try? await request.collectBody(upTo: limits.messageSize) else {
      return refusal(.contentTooLarge, "The form exceeds \(limits.messageSize) bytes.")
    }
    let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    let isForm = type == "application/x-www-form-urlencoded"
    let fields = LiveQuery(isForm ? String(buffer: body) : "")
    guard let name = fields[Self.submitField] else {
      var response = refusal(.methodNotAllowed, "This page supports only GET and HEAD.")
      response.headers[.allow] = "GET, HEAD"
      return response
    }
    guard isSameOrigin(request) else {
      return refusal(.forbidden, "This page accepts forms only from its own origin.")
    }
    guard let event = page.event(for: LiveAction(name: name, fields: fields)) else {
      return refusal(.badRequest, "The action is unknown to this page.")
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
