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
  func `all lines of a field arrive`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(200, [("Link", "<a>"), ("Server", "x"), ("Link", "<b>")])
    } _: { server in
      let response = try await transport.client(server).response(for: Request<Void>.get("/"))
      let name = try #require(HTTPField.Name("Link"))
      #expect(response.head.headerFields[name] == "<a>, <b>")
    }
  }

  /// A body has one reader; a second reader would take pieces from the first, or wait forever.
  @Test(arguments: TransportUnderTest.allCases)
  func `second reader of a body gets an error`(transport: TransportUnderTest) async throws {
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
      #expect(text == "abcd | another task is already reading the response's body")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `status and header fields are read`(transport: TransportUnderTest) async throws {
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
  func `repeated header fields are all there`(transport: TransportUnderTest) async throws {
    let fields = [("Set-Cookie", "a=1; Path=/"), ("Vary", "Accept"), ("Set-Cookie", "b=2")]
    try await withTestServer {
      try await $0.respond(200, fields)
    } _: { server in
      let response = try await transport.client(server).response(for: Request<Void>.get("/"))
      // `URLSession` joins the fields with a comma.
      let cookies = response.head.headerFields[values: .setCookie].joined(separator: ", ")
      #expect(cookies == "a=1; Path=/, b=2")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .bytesOutsideUTF8))
  func `header field outside UTF8 does not spoil the response`(transport: TransportUnderTest)
    async throws
  {
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

  @Test(arguments: TransportUnderTest.allCases, [200, 201, 204, 205])
  func `empty body is fine`(transport: TransportUnderTest, status: Int) async throws {
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
  func `head has fields and no body`(transport: TransportUnderTest, coding: String) async throws {
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
  func `large body is read whole`(transport: TransportUnderTest) async throws {
    let data = Pattern.bytes(10_000_000)
    try await withTestServer {
      try await $0.respond(200, [], data)
    } _: { server in
      let value = try await transport.client(server).send(Request<Data>.get("/"))
      #expect(value == data)
    }
  }

}
