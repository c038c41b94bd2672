import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import Testing
import showcase

/// The image proxy over a real socket; the image servers are stubs.
@Suite(.timeLimit(.minutes(1)))
struct ImageRelayTests {
  private let stub = StubTransport(servesSamples: false)
  private let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })

  /// Requests an image of a stubbed server from the web server.
  private func image(
    _ path: String = "/images/image.example/t/p/a.jpg", method: HTTPRequest.Method = .get,
    fields: HTTPFields = [:]
  ) async throws -> (head: HTTPResponse, body: Data) {
    let servers = try #require(HardServers())
    let origin = try #require(ImageOrigin("https://image.example/t/p/"))
    var network = Network(transport: stub)
    network.retries.attempts = 1
    let server = PageServer(
      DataSources(all: servers), images: ImageRelay(origins: [origin], over: network))
    try await server.start()
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(await server.port)")) {
      $0.transport = .asyncHTTPClient
    }
    let parts = path.split(separator: "?")
    let query = parts.count > 1 ? Query([.init("v", String(parts[1].dropFirst(2)))]) : [:]
    var request = Request<Data>(
      method, "\(raw: parts[0])", query: query, headerFields: fields, decoding: .automatic)
    request.acceptedStatuses = Set(200...599)
    let result: Result<Response<Data>, any Error>
    do {
      result = .success(try await client.response(for: request))
    } catch {
      result = .failure(error)
    }
    await server.stop()
    let response = try result.get()
    return (response.head, response.value)
  }

  private func stubImage(_ fields: HTTPFields, _ body: Data) {
    stub.stub(.get, "/t/p/a.jpg", with: .sample(Sample(headerFields: fields, body: body)))
  }

  @Test func `image comes through as it is`() async throws {
    stubImage(
      [
        .contentType: "image/jpeg", .cacheControl: "max-age=5", .eTag: "\"1\"",
        .contentLength: "100000", .setCookie: "a=b", .server: "secret",
      ], bytes)
    let image = try await image("/images/image.example/t/p/a.jpg?v=4")
    #expect(image.head.status == .ok)
    #expect(image.body == bytes)
    #expect(image.head.headerFields[.contentType] == "image/jpeg")
    #expect(image.head.headerFields[.cacheControl] == "max-age=5")
    #expect(image.head.headerFields[.eTag] == "\"1\"")
    #expect(image.head.headerFields[.contentLength] == "100000")
    #expect(image.head.headerFields[.setCookie] == nil)
    // An image opened as a document must not run as a page of this origin.
    #expect(image.head.headerFields[.contentSecurityPolicy]?.contains("sandbox") == true)
    #expect(image.head.headerFields[.xContentTypeOptions] == "nosniff")
    #expect(stub.requests.map(\.url) == ["https://image.example/t/p/a.jpg?v=4"])
  }

  @Test func `copy that is still good is not sent again`() async throws {
    stub.stub(.get, "/t/p/a.jpg", with: .status(.notModified, [.eTag: "\"1\""]))
    let image = try await image(fields: [.ifNoneMatch: "\"1\"", .cookie: "a=b"])
    #expect(image.head.status == .notModified)
    #expect(image.head.headerFields[.eTag] == "\"1\"")
    let fields = try #require(stub.requests.first).head.headerFields
    #expect(fields[.ifNoneMatch] == "\"1\"")
    #expect(fields[.cookie] == nil, "the pages' own")
  }

  @Test(arguments: [
    "/images/localhost/t/p/a.jpg", "/images/image.example/secret", "/images/image.example/t/p/../a",
    "/images/image.example", "/images/", "/images", "/images/image.example/t/p/%2e%2e/%2e%2e/a",
  ])
  func `other addresses are not asked for`(path: String) async throws {
    let image = try await image(path)
    #expect(image.head.status == .notFound)
    #expect(stub.requests.isEmpty)
  }

  @Test(arguments: [
    "text/html", "application/json", "image/x-icon", "", "image/svg+xmlx", "text/html; image/png",
  ])
  func `only images come through`(type: String) async throws {
    stubImage([.contentType: type], Data("secret".utf8))
    let image = try await image()
    #expect(image.head.status == .badGateway)
    #expect(!String(decoding: image.body, as: UTF8.self).contains("secret"))
  }

  /// If there are several types, browsers use the last.
  @Test(arguments: [
    "image/png ,text/html", "image/png;,text/html", "image/png; a=b", "IMAGE/PNG text/html",
  ])
  func `only the type that was checked is sent`(type: String) async throws {
    stubImage([.contentType: type], bytes)
    #expect(try await image().head.headerFields[.contentType] == "image/png")
  }

  @Test(arguments: [
    (HTTPResponse.Status.notFound, HTTPResponse.Status.notFound), (.gone, .notFound),
    (.forbidden, .badGateway), (.internalServerError, .badGateway),
  ])
  func `errors tell nothing`(status: HTTPResponse.Status, shown: HTTPResponse.Status) async throws {
    stub.stub(.get, "/t/p/a.jpg", with: .status(status, [.location: "http://127.0.0.1/secret"]))
    let image = try await image()
    #expect(image.head.status == shown)
    #expect(image.head.headerFields[.location] == nil)
    #expect(String(decoding: image.body, as: UTF8.self) == "There is no such image.\n")
  }

  @Test func `redirect is not followed`() async throws {
    stub.stub(.get, "/t/p/a.jpg", with: .status(.found, [.location: "https://127.0.0.1/secret"]))
    let image = try await image()
    #expect(image.head.status == .badGateway)
    #expect(stub.requests.count == 1)
  }

  @Test func `image that is too large is refused`() async throws {
    stubImage([.contentType: "image/png", .contentLength: "8388609"], Data(count: 8_388_609))
    #expect(try await image().head.status == .badGateway)
  }

  @Test func `head has no body`() async throws {
    stub.stub(.get, "/t/p/a.jpg", with: .data(bytes, contentType: "image/png"))
    let image = try await image(method: .head)
    #expect(image.head.status == .ok)
    #expect(image.body.isEmpty)
  }

  @Test func `pages load images from their own origin only`() async throws {
    let page = try await image("/movies/top-rated")
    let policy = try #require(page.head.headerFields[.contentSecurityPolicy])
    #expect(policy.contains("img-src 'self' data:;"))
  }
}
