import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Requests arrive as described", .timeLimit(.minutes(1)))
struct RequestTests {
  @Test(
    arguments: TransportUnderTest.allCases,
    [.get, .head, .post, .put, .patch, .delete, .options] as [HTTPRequest.Method])
  func `method arrives`(transport: TransportUnderTest, method: HTTPRequest.Method) async throws {
    try await withTestServer {
      try await $0.respond(200, [], "ok")
    } _: { server in
      try await transport.client(server).send(Request(method, "/thing", decoding: .discarded))
      #expect(server.requests.map(\.method) == [method.rawValue])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `path arrives byte for byte`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let client = try transport.client(server)
      let paths: [(Path, String)] = [
        ("/", "/"),
        ("/a/b/", "/a/b/"),
        ("/\("a/b")", "/a%2Fb"),
        ("/\("grün 鳥 🐦")", "/gr%C3%BCn%20%E9%B3%A5%20%F0%9F%90%A6"),
        ("/\("a?b#c")/d", "/a%3Fb%23c/d"),
        ("/\("100%")/\("%2F")", "/100%25/%252F"),
        ("/\("a+b")/a+b", "/a%2Bb/a+b"),
        ("/;v=1/@:!$&'()*,=", "/;v=1/@:!$&'()*,="),
        ("//double//slash", "//double//slash"),
      ]
      for (path, _) in paths { try await client.send(Request<Void>.get(path)) }
      #expect(server.requests.map(\.target) == paths.map(\.1))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `query arrives byte for byte`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let client = try transport.client(server, path: "/v1")
      let queries: [(Query, String)] = [
        ([:], "/v1/q"),
        (["a": "b c", "d": "e+f"], "/v1/q?a=b%20c&d=e%2Bf"),
        (["tag": ["x", "y"], "none": nil as String?], "/v1/q?tag=x&tag=y"),
        (["empty": ""], "/v1/q?empty="),
        (["ü&=": "鳥?#/%"], "/v1/q?%C3%BC%26%3D=%E9%B3%A5%3F%23%2F%25"),
      ]
      for (query, _) in queries { try await client.send(Request<Void>.get("/q", query: query)) }
      #expect(server.requests.map(\.target) == queries.map(\.1))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `header fields arrive`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let list = try #require(HTTPField.Name("X-List"))
      let plain = try #require(HTTPField.Name("X-Plain"))
      var fields: HTTPFields = [plain: "Grüße, \"quoted\"; a=b", .authorization: "Bearer abcdef"]
      fields[values: list] = ["one", "two"]
      try await transport.client(server).send(Request<Void>.get("/", headerFields: fields))

      let request = try #require(server.requests.first)
      #expect(request["X-Plain"] == "Grüße, \"quoted\"; a=b")
      #expect(request["Authorization"] == "Bearer abcdef")
      let values = request["X-List"]?.split(separator: ",").map { $0.trimmingPrefix(" ") }
      #expect(values == ["one", "two"])
      #expect(request.values(of: "Host") == ["127.0.0.1:\(server.port)"])
      #expect(request["User-Agent"] == "Curlew/1")
      #expect(request["Accept"] == "application/json, */*;q=0.5")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `compression is asked for unless the caller says otherwise`(
    transport: TransportUnderTest
  ) async throws {
    try await withTestServer { server in
      let client = try transport.client(server)
      try await client.send(Request<Void>.get("/"))
      try await client.send(
        Request<Void>.get("/", headerFields: [.acceptEncoding: "identity"]))
      #expect(server.requests.first?["Accept-Encoding"]?.contains("gzip") == true)
      #expect(server.requests.last?["Accept-Encoding"] == "identity")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `bodies arrive with type and length`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let client = try transport.client(server)
      let bodies: [(RequestBody, type: String?, text: String)] = [
        (.json(["name": "Brachvogel ü"]), "application/json", #"{"name":"Brachvogel ü"}"#),
        (
          .form(["a": "b c", "d": "e+f&g"]), "application/x-www-form-urlencoded",
          "a=b+c&d=e%2Bf%26g"
        ),
        (.data(Data("<x/>".utf8), contentType: "application/xml"), "application/xml", "<x/>"),
        (.data(Data()), "application/octet-stream", ""),
        (.none, nil, ""),
      ]
      for (body, _, _) in bodies { try await client.send(Request<Void>.post("/", body: body)) }
      for (request, expected) in zip(server.requests, bodies) {
        #expect(request["Content-Type"] == expected.type)
        #expect(request["Content-Length"] == "\(expected.text.utf8.count)")
        #expect(request.text == expected.text)
      }
      #expect(server.requests.count == bodies.count)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [.put, .patch, .delete] as [HTTPRequest.Method])
  func `body arrives`(with transport: TransportUnderTest, method: HTTPRequest.Method) async throws {
    try await withTestServer { server in
      let request = Request<Void>(method, "/", body: .json([1, 2]), decoding: .discarded)
      try await transport.client(server).send(request)
      #expect(server.requests.first?.text == "[1,2]")
    }
  }

  /// AsyncHTTPClient does not wait for the interim response.
  @Test func `expectation is not sent`() async throws {
    try await withTestServer { server in
      let request = Request<Void>.post(
        "/", headerFields: [.expect: "100-continue"], body: .json([1, 2]))
      try await TransportUnderTest.asyncHTTPClient.client(server).send(request)
      #expect(server.requests.map { $0["Expect"] } == [nil])
      #expect(server.requests.first?.text == "[1,2]")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .getWithBody))
  func `body arrives with get`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let request = Request<Void>(.get, "/", body: .json([1, 2]), decoding: .discarded)
      try await transport.client(server).send(request)
      #expect(server.requests.first?.text == "[1,2]")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `large body arrives whole`(transport: TransportUnderTest) async throws {
    let data = Pattern.bytes(10_000_000)
    try await withTestServer { server in
      try await transport.client(server).send(Request<Void>.put("/", body: .data(data)))
      #expect(server.requests.first?.body == data)
    }
  }

  #if os(Linux)
    /// It compares the host with libcurl's, which has brackets.
    @Test func `URLSession on Linux refuses an IPv6 address`() async throws {
      let client = Client(baseURL: "http://[::1]:8080") { $0.transport = .urlSession }
      let failure = try #require(await client.failure(of: Request<Void>.get("/")).invalidRequest)
      #expect(failure.reason.contains("can't load a URL with an IPv6 address"))
    }
  #endif
}
