import AsyncHTTPClient
import CurlewLive
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client that does not decompress bodies; `HTTPClient.shared` does.
let wireClient = HTTPClient(
  eventLoopGroupProvider: .singleton, configuration: .init(decompression: .disabled))

/// Runs a body with a server for live pages on loopback that also has other responses.
func withResponses<Value: Sendable>(
  _ responses: [String: @Sendable (Request) -> Response],
  _ body: @Sendable (_ port: Int) async throws -> Value
) async throws -> Value {
  let router = Router()
  for (path, response) in responses {
    router.get(RouterPath(path)) { request, _ in response(request) }
    router.head(RouterPath(path)) { request, _ in response(request).createHeadResponse() }
  }
  let application = Application(
    router: router, server: .live(),
    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  return try await application.test(.live) { try await body($0.port ?? 0) }
}

/// Returns a response of text, which compresses well if `length` is large.
func text(
  _ type: String = "text/html; charset=utf-8", length: Int = 20_000,
  status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
) -> Response {
  var fields = fields
  fields[.contentType] = type
  return Response(
    status: status, headers: fields,
    body: ResponseBody(byteBuffer: ByteBuffer(string: rows(length))))
}

/// Returns `length` bytes of rows.
func rows(_ length: Int) -> String {
  let row = #"<li class="row"><a href="/issues/1">An issue</a></li>"#
  return String(String(repeating: row, count: length / row.utf8.count + 1).prefix(length))
}

/// Sends a request with exactly these header fields, and does not decode the response's content.
func fetch(
  _ url: String, _ fields: [(String, String)] = [("Accept-Encoding", "gzip")],
  method: HTTPMethod = .GET
) async throws -> Fetched {
  var request = HTTPClientRequest(url: url)
  request.method = method
  request.headers = HTTPHeaders(fields)
  let response = try await wireClient.execute(request, timeout: .minutes(3))
  return Fetched(
    status: Int(response.status.code), fields: response.headers,
    body: try await response.body.collect(upTo: 1 << 24))
}

/// A response as received.
struct Fetched: Sendable {
  let status: Int
  let fields: HTTPHeaders
  let body: ByteBuffer

  var isCompressed: Bool { fields["Content-Encoding"] == ["gzip"] }
  /// The text, decompressed if the header fields say that it is compressed.
  var text: String { get throws { isCompressed ? try gunzip(body) : String(buffer: body) } }
}

/// Sends requests on one connection without waiting for responses, and returns the responses.
func pipeline(_ requests: [HTTPRequestHead], port: Int) async throws -> [Fetched] {
  let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .connect(host: "localhost", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
          wrappingChannelSynchronously: channel)
      }
    }
  return try await channel.executeThenClose { inbound, outbound in
    try await outbound.write(contentsOf: requests.flatMap { [.head($0), .end(nil)] })
    var responses: [Fetched] = []
    var head: HTTPResponseHead?
    var body = ByteBuffer()
    for try await part in inbound {
      switch part {
      case .head(let new): head = new
      case .body(var chunk): body.writeBuffer(&chunk)
      case .end:
        guard let head else { continue }
        responses.append(
          Fetched(status: Int(head.status.code), fields: head.headers, body: body))
        body = ByteBuffer()
      }
      if responses.count == requests.count { break }
    }
    return responses
  }
}

/// Sends bytes, and returns all bytes that arrive until the server closes the connection.
func rawExchange(_ text: String, port: Int) async throws -> String {
  let wire = try await Wire(port: port)
  try await wire.send(text)
  return try await wire.read()
}
