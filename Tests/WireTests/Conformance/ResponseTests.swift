import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Responses are read whole", .timeLimit(.minutes(1)))
struct ResponseTests {
  @Test(arguments: TransportUnderTest.all(but: .fieldLines))
  func allLinesOfAFieldArrive(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(200, [("Link", "<a>"), ("Server", "x"), ("Link", "<b>")])
    } _: { server in
      let response = try await transport.client(server).response(for: Request<Void>.get("/"))
      let name = try #require(HTTPField.Name("Link"))
      #expect(response.head.headerFields[name] == "<a>, <b>")
    }
  }

  /// A body has one reader; a second one would take pieces from it, or wait for ever.
  @Test(arguments: TransportUnderTest.allCases)
  func secondReaderOfABodyGetsAnError(transport: TransportUnderTest) async throws {
    struct Twice: Middleware {
      let refused: Gate

      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse {
        let response = try await next(request)
        let results = await withTaskGroup(of: String.self) { group in
          for _ in 0..<2 {
            group.addTask { [body = response.body, refused] in
              do {
                return String(decoding: try await body.collect(upTo: 100), as: UTF8.self)
              } catch {
                refused.open()
                return "\(error)"
              }
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        let text = results.sorted().joined(separator: " | ")
        return IncomingResponse(head: response.head, body: ResponseBody(Data(text.utf8)))
      }
    }
    let refused = Gate()
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
      await refused.wait()
      try await exchange.write("abcd")
    } _: { server in
      let client = try transport.client(server) { $0.middleware = [Twice(refused: refused)] }
      let text = try await client.send(Request<String>.get("/"))
      #expect(text == "abcd | another task reads the response's body")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func statusAndHeaderFieldsAreRead(transport: TransportUnderTest) async throws {
    let fields = [
      ("ETag", "\"abc\""), ("Link", "</b>; rel=\"next\", </z>; rel=\"last\""),
      ("X-Empty", ""), ("X-Unicode", "Grüße"), ("x-lower", "1"),
    ]
    try await withTestServer {
      try await $0.respond(201, fields, "{}")
    } _: { server in
      let response = try await transport.client(server).response(for: Request<Data>.get("/"))
      #expect(response.head.status.code == 201)
      for (name, value) in fields {
        let name = try #require(HTTPField.Name(name))
        #expect(response.head.headerFields[name] == value)
      }
      #expect(response.head.headerFields[.contentLength] == "2")
      #expect(response.url == server.origin + "/")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func repeatedHeaderFieldsAreAllThere(transport: TransportUnderTest) async throws {
    let fields = [("Set-Cookie", "a=1; Path=/"), ("Vary", "Accept"), ("Set-Cookie", "b=2")]
    try await withTestServer {
      try await $0.respond(200, fields)
    } _: { server in
      let response = try await transport.client(server).response(for: Request<Void>.get("/"))
      // URLSession joins them with a comma.
      let cookies = response.head.headerFields[values: .setCookie].joined(separator: ", ")
      #expect(cookies == "a=1; Path=/, b=2")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .bytesOutsideUTF8))
  func headerFieldOutsideUTF8DoesNotSpoilTheResponse(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      var response = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Latin: ".utf8)
      response += [0xFC]
      response += Data("\r\n\r\nok".utf8)
      try await exchange.write(response)
    } _: { server in
      let text = try await transport.client(server).send(Request<String>.get("/"))
      #expect(text == "ok")
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      "Content-Length: 11\r\n\r\nhello world",
      "Transfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5;x=y\r\nworld\r\n0\r\n\r\n",
      "Connection: close\r\n\r\nhello world",
    ])
  func bodyIsReadInEveryFraming(transport: TransportUnderTest, rest: String) async throws {
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + rest)
      if rest.hasPrefix("Connection") { try await exchange.close() }
    } _: { server in
      let text = try await transport.client(server).send(Request<String>.get("/"))
      #expect(text == "hello world")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyIsReadAsItArrivesInPieces(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      for piece in ["HTTP/1.1 200 O", "K\r\nContent-Le", "ngth: 6\r\n", "\r\nab", "c", "def"] {
        try await exchange.write(piece)
      }
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/"))
      #expect(value == "abcdef")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .trailerFields))
  func trailerFieldsAreSkipped(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
          + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
    } _: { server in
      let client = try transport.client(server)
      for _ in 0..<2 {
        let value = try await client.send(Request<String>.get("/"))
        #expect(value == "abc")
      }
      #expect(server.connections.count == 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func informationalResponsesAreSkipped(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")
      try await exchange.respond(200, [], "done")
    } _: { server in
      let response = try await transport.client(server).response(for: Request<String>.get("/"))
      #expect(response.value == "done")
      #expect(response.head.status == .ok)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [200, 201, 204, 205])
  func emptyBodyIsFine(transport: TransportUnderTest, status: Int) async throws {
    try await withTestServer {
      try await $0.respond(status)
    } _: { server in
      let client = try transport.client(server)
      let value = try await client.send(Request<Data>.get("/"))
      #expect(value.isEmpty)
      try await client.send(Request<Void>.delete("/"))
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["identity", "gzip"])
  func headHasFieldsAndNoBody(transport: TransportUnderTest, coding: String) async throws {
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nContent-Encoding: \(coding)\r\n\r\n")
    } _: { server in
      let client = try transport.client(server)
      for _ in 0..<2 {
        let response = try await client.response(for: Request<Void>.head("/"))
        #expect(response.head.headerFields[.contentLength] == "5000")
        #expect(response.head.headerFields[.contentEncoding] == coding)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func largeBodyIsReadWhole(transport: TransportUnderTest) async throws {
    let data = Pattern.bytes(10_000_000)
    try await withTestServer {
      try await $0.respond(200, [], data)
    } _: { server in
      let value = try await transport.client(server).send(Request<Data>.get("/"))
      #expect(value == data)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func aServerWaitsForAReaderThatIsSlow(transport: TransportUnderTest) async throws {
    let (reading, goOn, sent) = (Gate(), Gate(), Gate())
    let (piece, count) = (Data(count: 100_000), 1_000)
    try await withTestServer { exchange in
      guard exchange.path == "/large" else { return try await exchange.respond() }
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
      for _ in 0..<count { try await exchange.write(piece) }
      sent.open()
    } _: { server in
      let slow = try transport.client(server) {
        $0.middleware = [Observing { $0.open(reading, thenWaitFor: goOn) }]
        $0.limits.bodySize = piece.count * count
      }
      async let body = slow.send(Request<Data>.get("/large"))
      await reading.wait()
      // Time in which the server could have sent it all: other requests take their turns with it.
      let other = try transport.client(server)
      for _ in 0..<1_000 { try await other.send(Request<Void>.get("/")) }
      #expect(!sent.isOpen)
      goOn.open()
      let length = try await body.count
      #expect(length == piece.count * count)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bytesBeyondTheLengthBelongToNoResponse(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"
          + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse")
    } _: { server in
      let client = try transport.client(server)
      for _ in 0..<3 {
        let isTrue = try await client.send(Request<Bool>.get("/"))
        #expect(isTrue)
      }
    }
  }
}
