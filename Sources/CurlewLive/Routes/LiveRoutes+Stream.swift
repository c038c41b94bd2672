import CurlewScreens
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// Returns the response that streams the changes of the visitor's session that the request names, or of a
  /// new session for the request's address.
  func stream(for request: Request, by admission: Admitted) -> Response {
    // Request content would never be read, and would block the connection once it exceeds the
    // buffer.
    guard (request.headers[.contentLength] ?? "0") == "0", request.headers[.transferEncoding] == nil
    else { return refusal(.contentTooLarge, "This request must not have content.") }
    guard let tab = request.headers.liveTab else {
      return refusal(.badRequest, "The request does not name its tab.")
    }
    let fields: HTTPFields = [
      .contentType: "text/event-stream", .cacheControl: "no-store",
      .xContentTypeOptions: "nosniff",
    ]
    let build = build(for: admission)
    // A tab that has already loaded the document again names only its visitor.
    if let browserBuild = request.headers[.liveBuild], browserBuild != build.whole,
      browserBuild != build.visitor
    {
      return Response(
        status: .ok, headers: fields,
        body: ResponseBody(byteBuffer: ByteBuffer(string: "event: reload\ndata:\n\n")))
    }
    let known = sessions.session(of: request.headers, for: admission.visitor)
    let client = LiveChannel.peer?.client(of: request.headers)
    guard
      let session = known
        ?? sessions.start(
          for: request.headers, by: admission, language: language(of: request.headers),
          client: client)
    else {
      return refusal(.serviceUnavailable, "Too many pages are open. Try again in a moment.")
    }
    if known == nil {
      _ = session.belongs(to: tab)
      let address = LiveQuery(request.uri.query ?? "")["address"] ?? ""
      if let query = page.query(of: address) {
        navigate(session.runner, to: query, address, session.timeline)
      }
      if !page.isShared,
        let kept = request.headers[.liveKept].flatMap({
          key.text(of: $0, for: page, by: admission.id)
        })
      {
        let events = page.events(restoring: kept, in: session.runner.state)
        for event in events { session.runner.send(event) }
      }
    }
    let version = request.headers[.liveVersion].flatMap(Int.init) ?? 0
    let number = request.headers[.liveStream].flatMap(Int.init) ?? 0
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody { [self] writer in
        let stream = LiveStream(
          self, session, version: version, number: number,
          isNew: known == nil || session.isNew(to: version), isCurrent: admission.isCurrent)
        // Nothing reads from the connection meanwhile, so the stream can't notice by itself that
        // the connection has ended.
        LiveChannel.peer?.end.whenComplete { [end = stream.end] _ in end() }
        try await stream.write(to: &writer)
        try await writer.finish(nil)
      })
  }
}
