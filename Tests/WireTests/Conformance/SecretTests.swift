import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Secrets appear in no text", .timeLimit(.minutes(1)))
struct SecretTests {
  private static let secrets = ["t0p-secret-token", "k3y-of-the-api", "c00kie-value", "m1ne-only"]

  /// Returns a request that carries all secrets.
  private static func request(_ path: Path) -> Request<[Int]> {
    .get(
      path, query: ["api_key": "k3y-of-the-api", "mine": Sensitive("m1ne-only"), "page": 2],
      headerFields: [.authorization: "Bearer t0p-secret-token", .cookie: "sid=c00kie-value"])
  }

  /// Returns all textual representations of a value.
  private static func texts(of value: some Sendable) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    let texts = [String(describing: value), String(reflecting: value), "\(value)", dumped]
    guard let error = value as? any Error else { return texts }
    return texts + [error.localizedDescription, "\((error as NSError).userInfo)"]
  }

  private static func expectNoSecret(
    in value: some Sendable, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for text in texts(of: value) {
      for secret in secrets where text.contains(secret) {
        Issue.record("\(secret) appears in: \(text)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["/status", "/echo", "/json", "/close", "/far", "/loop", "/bad", "/large", "/stuck"])
  func `error hides them`(transport: TransportUnderTest, path: String) async throws {
    let (clock, arrived, ended) = (TestClock(), Gate(), Gate())
    try await withTestServer { exchange in
      let given = exchange.request["Authorization"] ?? ""
      let all = "\(exchange.request.target) \(given) \(exchange.request["Cookie"] ?? "")"
      switch exchange.path {
      case "/status": try await exchange.respond(403, [("Set-Cookie", "sid=c00kie-value")], "no")
      case "/echo": try await exchange.respond(400, [], "{\"message\": \"bad: \(all)\"}")
      case "/json": try await exchange.respond(200, [], "[{\"you sent\": \"\(all)\"}]")
      case "/close": try await exchange.close()
      case "/far":
        try await exchange.respond(302, [("Location", "ftp://x/?api_key=k3y-of-the-api")])
      case "/loop": try await exchange.respond(307, [("Location", exchange.request.target)])
      case "/bad": try await exchange.write("\(all)\r\n\r\n")
      case "/large": try await exchange.respond(200, [], all)
      case "/stuck":
        arrived.open()
        await exchange.closed()
      default: try await exchange.respond(200, [], "[]")
      }
      if exchange.path == "/bad" { try await exchange.close() }
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits.bodySize = path == "/large" ? 10 : 10_000
      }
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Self.request("\(raw: path)"))
      }
      if path == "/stuck" {
        await arrived.wait()
        await clock.advance(by: .seconds(30), until: ended)
      }
      guard case .failure(let error) = await request.value else {
        Issue.record("\(path) did not fail.")
        return
      }
      Self.expectNoSecret(in: error)
      if case .status(let failure) = error {
        Self.expectNoSecret(in: String(decoding: failure.body, as: UTF8.self))
      }
      let described = try #require(error.request)
      #expect(described.contains("api_key=***&mine=***&page=2"), "\(described)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `refused connection hides them`(transport: TransportUnderTest) async throws {
    let port = try await withTestServer { _ in
    } _: {
      $0.port
    }
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(port)")) {
      $0.transport = transport.transport
    }
    Self.expectNoSecret(in: try await client.failure(of: Self.request("/")))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `response hides them`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(200, [], "[1]")
    } _: { server in
      let response = try await transport.client(server).response(for: Self.request("/a"))
      Self.expectNoSecret(in: response)
      #expect(response.url == "\(server.origin)/a?api_key=***&mine=***&page=2")
    }
  }

  @Test
  func `request on its way hides them`() async throws {
    struct Catch: Middleware {
      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse {
        SecretTests.expectNoSecret(in: request)
        #expect(request.description.hasSuffix("/a?api_key=***&mine=***&page=2"))
        return IncomingResponse(
          head: HTTPResponse(status: .ok), body: ResponseBody(Data("[]".utf8)))
      }
    }
    let client = Client(baseURL: "http://127.0.0.1:1") { $0.middleware = [Catch()] }
    let value = try await client.send(Self.request("/a"))
    #expect(value == [])
  }

  @Test
  func `query hides what is marked`() {
    let query: Query = ["mine": Sensitive("m1ne-only"), "page": 2]
    Self.expectNoSecret(in: query)
    Self.expectNoSecret(in: query.items)
    Self.expectNoSecret(in: Sensitive("m1ne-only"))
    #expect("\(query)" == "mine=***&page=2")
    #expect(query.encoded == "mine=m1ne-only&page=2")
  }
}
