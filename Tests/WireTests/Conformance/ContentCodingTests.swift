import Curlew
import CurlewFaultServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Content codings are undone (RFC 9110 section 8.4)", .timeLimit(.minutes(1)))
struct ContentCodingTests {
  private struct Bird: Decodable, Equatable {
    let name: String
    let calls: [String]
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func `coded value is decoded`(transport: TransportUnderTest, coded: Coded) async throws {
    let body = try coded.body(of: Sample.text)
    try await withTestServer { exchange in
      let status = exchange.request.method == "GET" ? 200 : 201
      try await exchange.respond(status, coding: coded.name, fields: "ETag: \"a\"\r\n", body)
    } _: { server in
      let client = try transport.client(server)
      let response = try await client.response(for: Request<Bird>.get("/"))
      #expect(response.value.name == "curlew")
      #expect(response.value.calls.count == 4)
      #expect(response.head.headerFields[.eTag] == "\"a\"")
      #expect(response.head.headerFields[.contentEncoding] == nil, "it is not true any more")
      #expect(response.head.headerFields[.contentLength] == nil, "it is not true any more")
      for request in [Request<Bird>.post("/", body: .json([1])), .put("/"), .delete("/")] {
        #expect(try await client.send(request) == response.value)
      }
      let stream = try await client.stream(Request<Bird>.get("/"))
      #expect(stream.length == nil)
      #expect(try await stream.reduce(Data(), +) == Data(Sample.text.utf8))
    }
  }

  @Test(arguments: CodedCase.runs)
  func `coded body is decoded or an error`(transport: TransportUnderTest, one: CodedCase)
    async throws
  {
    let body = try one.body()
    try await withTestServer { exchange in
      let framing = exchange.path == "/length" ? Framing.length : one.framing
      try await exchange.respond(coding: one.coding, body, framing, by: one.size)
    } _: { server in
      let client = try transport.client(server)
      switch one.outcome {
      case .value(let data): #expect(try await client.send(Request<Data>.get("/")) == data)
      case .failure(let text):
        for path in ["/", "/length"] as [Path] {
          let failure = try await client.transportFailure(of: Request<Data>.get(path))
          if transport == .asyncHTTPClient { #expect(failure.reason.contains(text)) }
        }
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["gzip", "X-GZip", "gzip, identity"])
  func `fields of a coding that is undone are gone`(
    transport: TransportUnderTest, coding: String
  ) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: coding, body)
    } _: { server in
      let response = try await transport.client(server).response(for: Request<String>.get("/"))
      #expect(response.value == Sample.text)
      #expect(response.head.headerFields[.contentEncoding] == nil)
      #expect(response.head.headerFields[.contentLength] == nil)
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func `connection is kept after a coded body`(transport: TransportUnderTest) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: "gzip", body, .chunked)
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      for _ in 0..<5 {
        let value = try await client.send(Request<String>.get("/"))
        #expect(value == Sample.text)
      }
      #expect(server.connections.count == 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func `connection lost within a coded body is an error`(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    let body = try coded.body(of: Sample.lines(1_000))
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: \(coded.name)\r\nContent-Length: 99999\r\n\r\n")
      try await exchange.write(body)
      try await exchange.close()
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      guard case .transport = error else { throw error }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `request after a damaged body is answered`(transport: TransportUnderTest) async throws {
    var damaged = try Coded.gzip.body(of: Sample.lines(10_000))
    damaged[100] ^= 0xFF
    damaged[damaged.count - 5] ^= 0xFF
    try await withTestServer { [damaged] exchange in
      guard exchange.path == "/damaged" else { return try await exchange.respond(200, [], "fine") }
      try await exchange.respond(coding: "gzip", damaged)
    } _: { server in
      let client = try transport.client(server)
      for _ in 0..<3 {
        _ = try await client.failure(of: Request<Data>.get("/damaged"))
        let value = try await client.send(Request<String>.get("/"))
        #expect(value == "fine")
      }
    }
  }
}
