import AsyncHTTPClient
import CurlewLive
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

/// Compression on one connection: several responses, and streams.
@Suite(.timeLimit(.minutes(1)))
struct CompressedConnectionTests {
  private func request(
    _ path: String, _ coding: String?, _ method: HTTPMethod = .GET
  ) -> HTTPRequestHead {
    let coding = coding.map { [("Accept-Encoding", $0)] } ?? []
    return HTTPRequestHead(
      version: .http1_1, method: method, uri: path,
      headers: HTTPHeaders([("Host", "localhost")] + coding))
  }

  @Test func `each response of a connection has its own coding`() async throws {
    let parts = [rows(60), rows(70_000)]
    try await withResponses([
      "/1": { _ in text(fields: [.eTag: "\"a\""]) }, "/2": { _ in text("image/png") },
      "/events": { _ in events(parts) },
    ]) { port in
      let responses = try await pipeline(
        [
          request("/1", "gzip", .HEAD), request("/1", nil, .HEAD), request("/1", "gzip"),
          request("/1", "deflate"), request("/2", "gzip"), request("/3", "gzip"),
          request("/events", "gzip", .HEAD), request("/events", "gzip"), request("/events", "br"),
          request("/events", "gzip"), request("/1", "br, gzip;q=0.5"),
        ], port: port)

      #expect(responses.map(\.status) == [200, 200, 200, 200, 200, 404, 200, 200, 200, 200, 200])
      let compressed = responses.indices.filter { responses[$0].isCompressed && $0 != 6 }
      #expect(compressed == [0, 2, 7, 9, 10])
      for index in [2, 3, 4, 10] { #expect(try responses[index].text == rows(20_000)) }
      for index in [7, 8, 9] { #expect(try responses[index].text == parts.joined()) }
      // HEAD returns the header fields of GET without content, also for an empty file.
      for (head, get) in [(0, 2), (6, 7)] {
        #expect(responses[head].fields["ETag"] == responses[get].fields["ETag"])
        #expect(responses[head].fields["Vary"] == responses[get].fields["Vary"])
      }
      for index in [0, 1, 6] { #expect(responses[index].body.readableBytes == 0) }
      // The compressed length is unknown without compressing.
      #expect(responses[0].fields["Content-Length"] == [])
      #expect(responses[1].fields["Content-Length"] == ["20000"])
    }
  }

  @Test func `each piece of text arrives before the next is written`() async throws {
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let stream: @Sendable (Request) -> Response = { _ in
      let body = ResponseBody { writer in
        try await writer.write(ByteBuffer(string: "data: 1\n\n"))
        for await _ in turns { try await writer.write(ByteBuffer(string: "data: 2\n\n")) }
        try await writer.finish(nil)
      }
      return Response(status: .ok, headers: [.contentType: "text/html"], body: body)
    }
    try await withResponses(["/stream": stream]) { port in
      var request = HTTPClientRequest(url: "http://localhost:\(port)/stream")
      request.headers = ["Accept-Encoding": "gzip"]
      let response = try await wireClient.execute(request, timeout: .minutes(3))
      var chunks = response.body.makeAsyncIterator()
      let first = try #require(await chunks.next())
      turn.yield()
      let second = try #require(await chunks.next())
      turn.finish()

      #expect(response.headers["Content-Encoding"] == [])
      #expect(String(buffer: first) == "data: 1\n\n")
      #expect(String(buffer: second) == "data: 2\n\n")
    }
  }

  @Test func `malformed requests are refused without harm`() async throws {
    try await withResponses(["/1": { _ in text() }]) { port in
      let good = "GET /1 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
      let first = try await rawExchange("GET / HTTP/1.1\r\nno field\r\n\r\n", port: port)
      let second = try await rawExchange(good + "GET / HTTP/1.1\r\nno field\r\n\r\n", port: port)

      #expect(first.hasPrefix("HTTP/1.1 400"))
      #expect(second.hasPrefix("HTTP/1.1 200") && second.contains("HTTP/1.1 400"))
      #expect(try await fetch("http://localhost:\(port)/1").isCompressed)
    }
  }

  @Test func `clients of HTTP10 get no chunks`() async throws {
    try await withResponses(["/1": { _ in text() }]) { port in
      let response = try await rawExchange(
        "GET /1 HTTP/1.0\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n", port: port)

      #expect(response.hasSuffix("\r\n\r\n" + rows(20_000)))
      #expect(!response.lowercased().contains("content-encoding"))
    }
  }
}
