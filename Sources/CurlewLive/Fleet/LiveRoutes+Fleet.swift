import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

extension LiveRoutes {
  /// Returns the response of the server that has a request's session, or runs the page's shared screen; the response of a
  /// closure if that is this server, or none.
  ///
  /// The visitor, the origin and the limits are checked by the server that responds.
  func atOwner(
    _ request: Request, _ respond: (Request) async throws -> Response
  ) async throws -> Response {
    guard let fleet else { return try await respond(request) }
    // A function of its own, so that its variables cost nothing without a fleet.
    return try await atOwner(request, in: fleet, respond)
  }

  private func atOwner(
    _ request: Request, in fleet: LiveFleet, _ respond: (Request) async throws -> Response
  ) async throws -> Response {
    var request = request
    if request.headers[.liveForwarded] != nil {
      guard let body = try await body(of: request) else { return tooLarge }
      request.body = RequestBody(buffer: body)
      guard key.isForwarded(request.head, body, to: fleet.server),
        await owner(of: request, in: fleet) == fleet.server
      else {
        return refusal(.misdirectedRequest, "No server of this page has forwarded the request.")
      }
      return try await respond(request)
    }
    let end = sessions.now + LiveFleet.leaseTime * 2
    while sessions.now < end, let owner = await owner(of: request, in: fleet) {
      if owner == fleet.server { return try await respond(request) }
      if let response = try await forward(&request, to: owner, in: fleet) { return response }
      // A session begins anew.
      if sharedOwner == nil { return try await respond(request) }
    }
    return refusal(.serviceUnavailable, "The page is not available. Try again in a moment.")
  }

  /// Returns the server of a request: of its shared screen, `nil` if there is none, or of the session that it names.
  private func owner(of request: Request, in fleet: LiveFleet) async -> String? {
    if let sharedOwner { return await sharedOwner.owner() }
    // A browser without JavaScript loads the document of its session again.
    let ids =
      request.headers[.liveSession].map { [$0] }
      ?? (request.method == .get ? request.liveCookies : [])
    return ids.lazy.compactMap { [key, page] in key.server(of: $0, at: page.path) }.first
      ?? fleet.server
  }

  /// Returns the response of another server; `nil` if it is gone.
  private func forward(
    _ request: inout Request, to server: String, in fleet: LiveFleet
  ) async throws -> Response? {
    guard let address = await fleet.address(of: server) else { return nil }
    guard let body = try await body(of: request) else { return tooLarge }
    request.body = RequestBody(buffer: body)
    let head = forwarded(request, with: body, to: server)
    do {
      return try await fleet.send(head, body, to: server, at: address).map { reply, connection in
        relay(reply, from: connection) { fleet.keep(connection, to: address) }
      }
    } catch  where request.method == .get && request.headers[.liveTab] == nil {
      // A document applies no action: it can begin anew.
      return nil
    } catch {
      return refusal(.badGateway, "The page's server does not respond.")
    }
  }

  /// Returns the head of a request for another server, with this server's client and signature.
  private func forwarded(_ request: Request, with body: ByteBuffer, to server: String)
    -> HTTPRequest
  {
    var head = request.head
    head.headerFields = .forwarded(head.headerFields)
    // A request's several cookie fields are one field in HTTP/1.1.
    head.headerFields[.cookie] = head.headerFields[.cookie]
    let isOnThisMachine = LiveChannel.peer?.isLocal == true && !request.head.isForwarded
    if !isOnThisMachine, let client = LiveChannel.peer?.source(of: request.headers)?.text {
      head.headerFields[.xForwardedFor] = client
      head.headerFields[.forwarded] = "for=\"\(client.contains(":") ? "[\(client)]" : client)\""
    }
    let signature = key.forwarding(head, body, to: server)
    head.headerFields[.liveForwarded] = signature
    if body.readableBytes > 0 { head.headerFields[.contentLength] = "\(body.readableBytes)" }
    return head
  }

  /// Returns a response of another server; calls a closure once it has been read.
  private func relay(
    _ reply: PeerConnection.Reply, from connection: PeerConnection,
    _ isRead: @escaping @Sendable () -> Void
  ) -> Response {
    let head = reply.head
    let fields = HTTPFields.forwarded(head.headerFields)
    if reply.isComplete {
      isRead()
      let hasBody = head.status != .noContent && head.status != .notModified
      return Response(
        status: head.status, headers: fields,
        body: hasBody ? ResponseBody(byteBuffer: reply.body) : ResponseBody())
    }
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    let body = ResponseBody(contentLength: length) { writer in
      // The other server ends the stream when the browser disconnects, and the tab reconnects when this server shuts down.
      if reply.isStream { LiveChannel.peer?.end.whenComplete { _ in connection.close() } }
      do {
        try await withGracefulShutdownHandler {
          var next = reply
          try await writer.write(next.body)
          while !next.isComplete {
            next = try await connection.read()
            try await writer.write(next.body)
          }
        } onGracefulShutdown: {
          if reply.isStream { connection.close() }
        }
        isRead()
      } catch  where reply.isStream {
        // The tab reconnects.
      }
      try await writer.finish(nil)
    }
    return Response(status: head.status, headers: fields, body: body)
  }
}

extension Request {
  /// The sessions in the cookies of a browser without JavaScript, which may send several, for nested paths.
  var liveCookies: [String] {
    headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { cookie in
      let cookie = cookie.drop { $0 == " " }
      return cookie.hasPrefix("live=") ? String(cookie.dropFirst(5)) : nil
    }
  }
}

extension HTTPField.Name {
  /// The signature of a request that another server has forwarded.
  static let liveForwarded = HTTPField.Name("Live-Forwarded") ?? .from
  static let forwarded = HTTPField.Name("Forwarded") ?? .from
  static let xForwardedFor = HTTPField.Name("X-Forwarded-For") ?? .from
}
