import Curlew
import CurlewRecording
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

/// The key is sent with each request, and appears in no text.
@Suite(.timeLimit(.minutes(1)))
struct APIKeyTests {
  private static let key = "hunter2/+ü=&?#"
  private static let name: HTTPField.Name = "X-App"
  private static let encodedKey = "hunter2%2F%2B%C3%BC%3D%26%3F%23"

  private let stub = StubTransport()
  private let client: Client

  init() {
    client = .stubbed(by: stub) {
      $0.middleware = [.apiKey(Self.key, query: "app id")]
    }
    stub.stub(.get, "/x", with: .json("1"))
  }

  private func expectNoKey(in value: Any, _ location: SourceLocation = #_sourceLocation) {
    let text = allTexts(of: value)
    #expect(!text.contains("hunter2"), "\(text)", sourceLocation: location)
  }

  @Test(
    arguments: [
      ([:], "/x?app%20id="), (["page": 2, "a": "b"], "/x?page=2&a=b&app%20id="),
      (["app": "1", "id": "2"], "/x?app=1&id=2&app%20id="),
      (["APP ID": ""], "/x?APP%20ID=&app%20id="),
    ] as [(Query, String)])
  func `key is added to the query encoded`(query: Query, sent: String) async throws {
    _ = try await client.send(Request<Int>.get("/x", query: query))
    #expect(stub.requests.map(\.head.path) == [sent + Self.encodedKey])
    expectNoKey(in: stub.requests)
    #expect(stub.requests.first?.description.hasSuffix("app%20id=***") == true)
  }

  @Test func `endpoint's own key wins and is as secret`() async throws {
    _ = try await client.send(Request<Int>.get("/x", query: ["app id": "own-hunter2"]))
    #expect(stub.requests.map(\.head.path) == ["/x?app%20id=own-hunter2"])
    expectNoKey(in: stub.requests)
  }

  @Test func `key is added as a header field unless there is one`() async throws {
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.apiKey("hunter2", header: Self.name)]
    }
    _ = try await client.send(Request<Int>.get("/x"))
    _ = try await client.send(Request<Int>.get("/x", headerFields: [Self.name: "hunter2-own"]))
    #expect(stub.requests.map { $0.head.headerFields[Self.name] } == ["hunter2", "hunter2-own"])
    #expect(stub.requests.allSatisfy { $0.redaction.headerFields.contains(Self.name) })
    for request in stub.requests {
      expectNoKey(in: request.redaction.redacting(request.head.headerFields))
    }
  }

  @Test func `no error response or middleware shows the key that the server quotes`() async throws {
    struct Quoting: Error, CustomStringConvertible {
      let description = "\(APIKeyTests.key) \(APIKeyTests.encodedKey)"
    }
    let echo = "\(Self.key) \(Self.encodedKey)"
    stub.stub(
      .get, "/x", with: .json("{\"status_message\": \"Bad \(echo)\"}", status: .unauthorized),
      .json("\"\(echo)\""), .failure(Quoting()),
      .status(.found, [.location: "http://a.b/?app%20id=\(Self.encodedKey)"]),
      .json("[1, \"\(echo)\"]", status: .notFound))
    for _ in 1...5 {
      let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
      expectNoKey(in: error)
      if let failure = error.statusFailure {
        #expect(!String(decoding: failure.body, as: UTF8.self).contains("hunter2"))
      }
    }
    stub.stub(.get, "/y", with: .json("1"))
    expectNoKey(in: try await client.response(for: Request<Int>.get("/y")))
    expectNoKey(in: client)
    expectNoKey(in: client.configuration)
    expectNoKey(in: client.configuration.middleware)
  }

  @Test func `redirect that quotes the key under another name shows none`() async throws {
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.apiKey("hunter2", query: "app")]
      $0.limits.redirects = 2
    }
    let places = ["/login?return_to=%2Fx%3Fapp%3Dhunter2", "ftp://a.b/?to=hunter2", "/x/hunter2"]
    for place in places {
      stub.stub(.get, "/x", with: .status(.found, [.location: place]))
      stub.stub(.get, "/login", with: .status(.badRequest))
      stub.stub(.get, "/x/*", with: .status(.found, [.location: "/x/hunter2"]))
      expectNoKey(in: try #require(await client.result(of: Request<Int>.get("/x")).failure))
      for request in stub.requests { expectNoKey(in: request) }
    }
    stub.stub(.get, "/x", with: .status(.found, [.location: places[0]]))
    stub.stub(.get, "/login", with: .json("1"))
    let response = try await client.response(for: Request<Int>.get("/x"))
    expectNoKey(in: response)
    #expect(response.url.hasSuffix("/login?return_to=%2Fx%3Fapp%3D***"))
  }

  @Test func `recording is found whatever its key and neither is shown`() async throws {
    let har = HAR(entries: [
      HAR.Entry(
        .get, "https://api.example.com/x?api_key=hunter2-recorded&page=1", response: .json("7"))
    ])
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = .har(har)
      $0.middleware = [.apiKey("hunter2-mine", query: "api_key")]
    }
    #expect(try await client.send(Request<Int>.get("/x", query: ["page": 1])) == 7)
    let error = try #require(await client.result(of: Request<Int>.get("/z")).failure)
    #expect("\(error)".contains("/x?api_key=***&page=1"))
    expectNoKey(in: error)
    expectNoKey(in: har)
  }

  @Test func `a key and a password may be texts`() async throws {
    let client = Client.stubbed(by: stub) {
      $0.middleware = [
        .apiKey("hunter2-q", query: "key"), .apiKey("hunter2-h", header: Self.name),
        .basic(user: "ann", password: "hunter2-p"),
      ]
    }
    _ = try await client.send(Request<Int>.get("/x"))
    let request = try #require(stub.requests.last)
    #expect(request.head.path == "/x?key=hunter2-q")
    #expect(request.head.headerFields[Self.name] == "hunter2-h")
    #expect(request.head.headerFields[.authorization] == "Basic YW5uOmh1bnRlcjItcA==")
    for value: Any in [client, client.configuration, request] { expectNoKey(in: value) }
  }
}
