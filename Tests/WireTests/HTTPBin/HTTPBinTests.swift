import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// About fifty endpoints of httpbin, through the whole client on both transports.
@Suite(
  "httpbin", .enabled(if: HTTPBin.isPossible, "Python is not installed"), .httpBin,
  .timeLimit(.minutes(5)))
struct HTTPBinTests {
  /// A request as seen by httpbin.
  struct Echo: Decodable, Sendable {
    var method: String?
    let args: [String: String]?
    let headers: [String: String]?
    let data: String?
    let form: [String: String]?
    let url: String?
  }

  private func client(
    _ transport: TransportUnderTest, configure: (inout Client.Configuration) -> Void = { _ in }
  ) throws -> Client {
    let baseURL = try #require(HTTPBin.baseURL)
    return Client(baseURL: baseURL) {
      $0.transport = transport.transport
      configure(&$0)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["GET", "POST", "PUT", "PATCH", "DELETE"])
  func `methods arrive as they are`(transport: TransportUnderTest, name: String) async throws {
    let method = try #require(HTTPRequest.Method(name))
    let own = try await client(transport).send(
      Request<Echo>(method, "/\(name.lowercased())", query: ["a": "b c"], decoding: .json))
    #expect(own.args == ["a": "b c"])
    let any = try await client(transport).send(
      Request<Echo>(method, "/anything/\("x/y")", decoding: .json))
    #expect(any.method == name)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `bodies arrive`(transport: TransportUnderTest) async throws {
    let client = try client(transport)
    let json = try await client.send(
      Request<Echo>(.post, "/post", body: .json(["ключ": "значение"]), decoding: .json))
    #expect(json.data?.contains("значение") == true)
    let form = try await client.send(
      Request<Echo>(.post, "/post", body: .form(["a": "1 + 1 = 2", "ü": "&"]), decoding: .json))
    #expect(form.form == ["a": "1 + 1 = 2", "ü": "&"])
    let data = try await client.send(
      Request<Echo>(
        .put, "/put", body: .data(Data("plain".utf8), contentType: "text/plain"), decoding: .json))
    #expect(data.data == "plain")
    #expect(data.headers?["Content-Type"] == "text/plain")
  }

  @Test(
    arguments: TransportUnderTest.allCases, ["redirect", "relative-redirect", "absolute-redirect"])
  func `redirects are followed`(transport: TransportUnderTest, kind: String) async throws {
    let response = try await client(transport).response(for: Request<Echo>.get("/\(kind)/3"))
    #expect(response.url.hasSuffix("/get"))
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [(301, false), (302, false), (303, false), (307, true), (308, true)])
  func `redirects keep the body or drop it`(
    transport: TransportUnderTest, one: (code: Int, keeps: Bool)
  ) async throws {
    let echo = try await client(transport).send(
      Request<Echo>(
        .post, "/redirect-to", query: ["url": "/anything", "status_code": one.code],
        body: .data(Data("kept".utf8), contentType: "text/plain"), decoding: .json))
    #expect(echo.method == (one.keeps ? "POST" : "GET"))
    #expect(echo.data == (one.keeps ? "kept" : ""))
  }

  @Test(arguments: TransportUnderTest.allCases, ["basic-auth", "hidden-basic-auth"])
  func `basic credentials are taken or not`(transport: TransportUnderTest, kind: String)
    async throws
  {
    let right = try client(transport) {
      $0.middleware = [.basic(user: "Aladdin", password: "open sesame")]
    }
    let path: Path = "/\(kind)/Aladdin/open sesame"
    try await right.send(Request<Void>.get(path))
    // The challenge is returned like any other response.
    let error = try await client(transport).failure(of: Request<Void>.get(path))
    #expect(error.status?.code == (kind == "basic-auth" ? 401 : 404))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `bearer tokens are taken or not`(transport: TransportUnderTest) async throws {
    let right = try client(transport) { $0.middleware = [.bearer("t0ken")] }
    try await right.send(Request<Void>.get("/bearer"))
    let error = try await client(transport).failure(of: Request<Void>.get("/bearer"))
    #expect(error.status == .unauthorized)
    let digest = try await client(transport).failure(
      of: Request<Void>.get("/digest-auth/auth/user/passwd"))
    #expect(digest.status == .unauthorized)
  }

  @Test(arguments: TransportUnderTest.allCases, ["gzip", "deflate"])
  func `codings are undone`(transport: TransportUnderTest, coding: String) async throws {
    let body = try await client(transport).send(Request<String>.get("/\(coding)"))
    #expect(body.contains("\"method\": \"GET\""))
  }

  @Test(.enabled(if: Coded.allCases.contains(.brotli)))
  func `brotli is decoded`() async throws {
    let body = try await client(.asyncHTTPClient).send(Request<String>.get("/brotli"))
    #expect(body.contains("\"brotli\": true"))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `bytes are read in every framing`(transport: TransportUnderTest) async throws {
    let client = try client(transport)
    let bytes = try await client.send(Request<Data>.get("/bytes/50000", query: ["seed": 1]))
    #expect(bytes.count == 50_000)
    let same = try await client.send(
      Request<Data>.get("/stream-bytes/50000", query: ["seed": 1, "chunk_size": 1_000]))
    #expect(same.count == 50_000)
    let lines = try await client.send(Request<String>.get("/stream/20"))
    #expect(lines.split(separator: "\n").count == 20)
    let drops = try await client.send(
      Request<Data>.get("/drip", query: ["duration": 0, "numbytes": 10, "delay": 0]))
    #expect(drops == Data(repeating: UInt8(ascii: "*"), count: 10))
    let links = try await client.send(Request<String>.get("/links/3/0"))
    #expect(links.contains("/links/3/1"))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a range is a part`(transport: TransportUnderTest) async throws {
    let part = Request<Data>(
      .get, "/range/1000", headerFields: [.range: "bytes=10-19"], decoding: .data)
    let response = try await client(transport).response(for: part)
    #expect(response.head.status == .partialContent)
    #expect(response.value == Data("klmnopqrst".utf8))
    #expect(response.head.headerFields[.contentRange] == "bytes 10-19/1000")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `what has not changed has no body`(transport: TransportUnderTest) async throws {
    let tagged = Request<Void>(
      .get, "/etag/abc", headerFields: [.ifNoneMatch: "abc"], decoding: .discarded)
    let unchanged = try await client(transport).failure(of: tagged)
    #expect(unchanged.status == .notModified)
    let dated = Request<Void>(
      .get, "/cache", headerFields: [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"],
      decoding: .discarded)
    let old = try await client(transport).failure(of: dated)
    #expect(old.status == .notModified)
    let fresh = try await client(transport).response(for: Request<Echo>.get("/cache/60"))
    #expect(fresh.head.headerFields[.cacheControl] == "public, max-age=60")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cookies are kept when asked for`(transport: TransportUnderTest) async throws {
    struct Cookies: Decodable, Sendable { let cookies: [String: String] }
    let endpoint = Request<Cookies>.get("/cookies/set", query: ["a": "1", "b": "2"])
    let without = try await client(transport).send(endpoint)
    #expect(without.cookies.isEmpty)
    let keeping = try client(transport) { $0.networkMiddleware = [.cookies()] }
    // The redirect has two `Set-Cookie` fields; the next request sends both cookies.
    let with = try await keeping.send(endpoint)
    #expect(with.cookies == ["a": "1", "b": "2"])
    let deleted = try await keeping.send(Request<Cookies>.get("/cookies/delete", query: ["a": ""]))
    #expect(deleted.cookies == ["b": "2"])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a response that is late is a timeout`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    let client = try client(transport) { $0.clock = clock }
    async let result = client.result(of: Request<Echo>.get("/delay/10"))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(await result.failure?.timeoutFailure != nil)
  }
}
