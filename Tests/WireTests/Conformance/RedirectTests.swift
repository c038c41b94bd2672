import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Redirects are followed (RFC 9110 section 15.4)", .timeLimit(.minutes(1)))
struct RedirectTests {
  /// Returns a handler that redirects `/start`, and responds to all other requests.
  private static func redirecting(
    _ status: Int, to location: String, fields: [(String, String)] = []
  ) -> TestServer.Handler {
    { exchange in
      if exchange.path == "/start" {
        try await exchange.respond(status, [("Location", location)] + fields, "moved")
      } else {
        try await exchange.respond(200, [], "there")
      }
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      (301, "GET"), (301, "HEAD"), (301, "PUT"), (302, "GET"), (302, "DELETE"), (303, "GET"),
      (303, "HEAD"), (307, "GET"), (307, "POST"), (307, "PUT"), (308, "PATCH"), (308, "POST"),
    ])
  func `method and body are kept`(
    transport: TransportUnderTest, redirect: (status: Int, method: String)
  ) async throws {
    let method = try #require(HTTPRequest.Method(redirect.method))
    try await withTestServer(Self.redirecting(redirect.status, to: "/there?a=%2F")) { server in
      let body: RequestBody = ["GET", "HEAD"].contains(redirect.method) ? .none : .json([1])
      let response = try await transport.client(server).response(
        for: Request<Void>(method, "/start", body: body, decoding: .discarded))
      #expect(response.url == server.origin + "/there?a=%2F")
      #expect(server.requests.map(\.target) == ["/start", "/there?a=%2F"])
      #expect(server.requests.map(\.method) == [redirect.method, redirect.method])
      #expect(server.requests.first?.text == server.requests.last?.text)
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [(301, "POST"), (302, "POST"), (303, "POST"), (303, "PUT"), (303, "DELETE")])
  func `method becomes get without body`(
    transport: TransportUnderTest, redirect: (status: Int, method: String)
  ) async throws {
    let method = try #require(HTTPRequest.Method(redirect.method))
    try await withTestServer(Self.redirecting(redirect.status, to: "/there")) { server in
      try await transport.client(server).send(
        Request<Void>(method, "/start", body: .json([1]), decoding: .discarded))
      let last = try #require(server.requests.last)
      #expect(last.method == "GET")
      #expect(last.body.isEmpty)
      #expect(last["Content-Type"] == nil)
      #expect(last["Content-Length"] == nil)
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      ("there", "/dir/there"), ("../there", "/there"), ("/there", "/there"),
      ("?page=2", "/dir/start?page=2"), ("there#part", "/dir/there"), (".", "/dir/"),
    ])
  func `relative location is resolved`(
    transport: TransportUnderTest, location: (given: String, target: String)
  ) async throws {
    try await withTestServer { exchange in
      if exchange.request.target == "/dir/start" {
        try await exchange.respond(302, [("Location", location.given)])
      } else {
        try await exchange.respond(200)
      }
    } _: { server in
      try await transport.client(server, path: "/dir").send(Request<Void>.get("/start"))
      #expect(server.requests.last?.target == location.target)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `absolute location leads to another server`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(200, [], "other")
    } _: { other in
      try await withTestServer(Self.redirecting(307, to: other.origin + "/x")) { server in
        let response = try await transport.client(server).response(
          for: Request<String>.get("/start"))
        #expect(response.value == "other")
        #expect(response.url == other.origin + "/x")
        #expect(other.requests.first?["Host"] == "127.0.0.1:\(other.port)")
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `credentials stay with their origin`(transport: TransportUnderTest) async throws {
    let fields: HTTPFields = [
      .authorization: "Bearer secret-token", .cookie: "session=secret", .acceptLanguage: "de",
    ]
    try await withTestServer { other in
      try await withTestServer { exchange in
        let next = exchange.path == "/start" ? "/middle" : other.origin + "/end"
        try await exchange.respond(302, [("Location", next)])
      } _: { server in
        try await transport.client(server).send(
          Request<Void>.get("/start", headerFields: fields))
        #expect(
          server.requests.map { $0["Authorization"] }
            == Array(
              repeating: "Bearer secret-token", count: 2))
        #expect(server.requests.last?["Cookie"] == "session=secret")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?["Authorization"] == nil)
        #expect(other.requests.first?["Cookie"] == nil)
        #expect(other.requests.first?["Accept-Language"] == "de")
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `loop ends at the limit`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(302, [("Location", "/start")])
    } _: { server in
      let client = try transport.client(server) { $0.limits.redirects = 4 }
      let failure = try await client.redirectFailure(of: Request<Void>.get("/start"))
      #expect(failure.reason == .tooMany(limit: 4))
      #expect(server.requests.count == 5)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `no redirect is followed when none is allowed`(transport: TransportUnderTest) async throws {
    try await withTestServer(Self.redirecting(302, to: "/there")) { server in
      let client = try transport.client(server) { $0.limits.redirects = 0 }
      let failure = try await client.redirectFailure(of: Request<Void>.get("/start"))
      #expect(failure.reason == .tooMany(limit: 0))
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `redirect without location is a status error`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(302, [("X-A", "b")], "where to?")
    } _: { server in
      let failure = try await transport.client(server).statusFailure(of: Request<Void>.get("/"))
      #expect(failure.response.status == .found)
      #expect(failure.response.headerFields[.init("X-A") ?? .accept] == "b")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .bodyOfDeadEnd))
  func `redirect without location keeps its body`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(302, [], "where to?")
    } _: { server in
      let failure = try await transport.client(server).statusFailure(of: Request<Void>.get("/"))
      #expect(String(decoding: failure.body, as: UTF8.self) == "where to?")
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["http://[bad", "ftp://127.0.0.1/a", "mailto:a@b.example", "http://", "http://u:p@127.0.0.1/"])
  func `malformed location is refused`(transport: TransportUnderTest, location: String) async throws
  {
    try await withTestServer {
      try await $0.respond(302, [("Location", location)])
    } _: { server in
      let failure = try await transport.client(server).redirectFailure(of: Request<Void>.get("/"))
      #expect(failure.reason == .malformedLocation)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cookies are not sent back`(transport: TransportUnderTest) async throws {
    let cookie = [("Set-Cookie", "session=1; Path=/")]
    try await withTestServer(Self.redirecting(302, to: "/there", fields: cookie)) { server in
      let client = try transport.client(server)
      for _ in 0..<2 { try await client.send(Request<Void>.get("/start")) }
      #expect(server.requests.count == 4)
      #expect(server.requests.allSatisfy { $0["Cookie"] == nil })
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func `redirect to the same server uses its connection`(transport: TransportUnderTest) async throws
  {
    try await withTestServer(Self.redirecting(302, to: "/there")) { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      try await client.send(Request<Void>.get("/start"))
      #expect(server.connections.count == 1)
    }
  }

  @Test(arguments: [(5, true), (2048, true), (2049, false), (nil, false)] as [(Int?, Bool)])
  func `short body of a redirect is read to its end`(length: Int?, isRead: Bool) async throws {
    let end = Gate()
    let stub = StubTransport()
    stub.stub(
      .get, "/start",
      with: .responding { _ in
        var head = HTTPResponse(status: .found, headerFields: [.location: "/there"])
        head.headerFields[.contentLength] = length.map { "\($0)" }
        let body = ResponseBody {
          var rest = [Data(count: length ?? 5)]
          return {
            if rest.isEmpty { end.open() }
            return rest.popLast()
          }
        }
        return IncomingResponse(head: head, body: body)
      })
    stub.stub(.get, "/there", with: .status(.ok))
    try await Client.stubbed(by: stub).send(Request<Void>.get("/start"))
    #expect(end.isOpen == isRead)
  }
}
