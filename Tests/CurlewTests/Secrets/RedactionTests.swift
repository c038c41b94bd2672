import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Secrets must not appear in any text.
@Suite(.timeLimit(.minutes(1)))
struct RedactionTests {
  private static let key = "hunter2/+x=="
  private static let encodedKey = "hunter2%2F%2Bx%3D%3D"
  private static let token = "tok/en-4711"

  private let stub = StubTransport()
  private let client: Client
  private let endpoint = Request<Issue>.get(
    "/x", query: ["page": 1, "api_key": key, "pin": Sensitive("pin-0815")],
    headerFields: [.cookie: "session=cookie-5150", .accept: "text/plain"])

  init() { client = .stubbed(by: stub) { $0.middleware = [.bearer(Self.token)] } }

  private func expectNoSecret(in value: Any, _ location: SourceLocation = #_sourceLocation) {
    let text = value as? String ?? allTexts(of: value)
    for secret in ["hunter2", "en-4711", "pin-0815", "cookie-5150", "set-6160", "jar-7788"] {
      #expect(!text.contains(secret), "\(secret) in \(text)", sourceLocation: location)
    }
  }

  /// A server's response that quotes the whole request.
  fileprivate static let echo =
    "\(key) \(encodedKey) \(token) pin-0815 session=cookie-5150 tok\\/en-4711 hunter2\\/+x== "
    + "or cookie-5150"

  @Test func `the request is sent with its secrets and shown without`() async throws {
    stub.stub(endpoint, with: .json(#"{"number": 1, "user": {"login": "a"}}"#))
    _ = try await client.send(endpoint)
    let request = try #require(stub.requests.first)
    #expect(request.head.path == "/x?page=1&api_key=\(Self.encodedKey)&pin=pin-0815")
    #expect(request.head.headerFields[.authorization] == "Bearer \(Self.token)")
    #expect(
      request.description == "GET https://api.example.com/x?page=1&api_key=***&pin=***")
    expectNoSecret(in: request)
  }

  @Test func `a status error shows no secret that the server quotes`() async throws {
    stub.stub(
      endpoint,
      with: .sample(
        Sample(
          status: .unauthorized,
          headerFields: [
            .setCookie: "session=set-6160",
            "X-Request-URL": "https://a.b/x?api_key=\(Self.encodedKey)",
            .contentType: "application/json",
          ],
          body: Data(#"{"message": "Bad: \#(Self.echo)"}"#.utf8))))
    let error = try #require(await client.result(of: endpoint).failure)
    let failure = try #require(error.statusFailure)
    expectNoSecret(in: allTexts(of: error) + String(decoding: failure.body, as: UTF8.self))
    expectNoSecret(in: failure.response.headerFields.map(\.value).joined())
    #expect(failure.message?.hasPrefix("Bad: ***") == true)
    #expect(failure.response.headerFields[.contentType] == "application/json")
  }

  @Test func `a secret at the cut of a long body is not shown`() async throws {
    for start in [65_536 - 12, 65_536 - 6, 65_536 - 1] {
      let body = String(repeating: "a", count: start) + Self.token + " and more"
      stub.stub(endpoint, with: .data(Data(body.utf8), status: .badRequest))
      let failure = try #require(await client.result(of: endpoint).failure?.statusFailure)
      #expect(failure.body.count <= 65_536)
      #expect(!String(decoding: failure.body, as: UTF8.self).contains("t"))
    }
  }

  @Test func `a decoding error shows no secret that the server quotes`() async throws {
    stub.stub(endpoint, with: .json(#"{"number": "\#(Self.echo)"}"#))
    let error = try #require(await client.result(of: endpoint).failure)
    #expect(error.decodingFailure != nil)
    expectNoSecret(in: error)
  }

  @Test func `a secret at the cut of an excerpt is not shown`() async throws {
    for start in [140, 150, 155, 158] {
      let text = String(repeating: "a", count: start) + Self.token
      stub.stub(endpoint, with: .json(text))
      let failure = try #require(await client.result(of: endpoint).failure?.decodingFailure)
      #expect(!failure.excerpt.contains("t"), "\(failure.excerpt)")
    }
  }

  @Test func `a transport error shows no secret`() async throws {
    struct Quoting: Error, CustomStringConvertible { let description = "no \(RedactionTests.echo)" }
    stub.stub(endpoint, with: .failure(Quoting()))
    let error = try #require(await client.result(of: endpoint).failure)
    #expect(error.transportFailure?.reason.hasPrefix("no ***") == true)
    expectNoSecret(in: error)
  }

  @Test func `a too long body and a bad redirect show no secret`() async throws {
    stub.stub(
      endpoint, with: .json("12345"),
      .status(.found, [.location: "http://a.b/?token=hunter2&x=1#access_token=hunter2"]),
      .status(.found, [.location: "https://ann:hunter2@a.b/"]),
      .status(.found, [.location: "//ann:hunter2@a.b/?next=http://a.b"]))
    let client = Client.stubbed(by: stub) { $0.limits.bodySize = 1 }
    for _ in 1...4 {
      let error = try #require(await client.result(of: endpoint).failure)
      expectNoSecret(in: error)
    }
  }

  @Test func `an encoding error and an invalid request show no secret`() async throws {
    struct Login: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "no"))
      }
    }
    for body in [RequestBody.json([Double.nan]), .json(Login())] {
      let bad = Request<Int>.post("/x", query: ["api_key": Self.key], body: body)
      let error = try #require(await client.result(of: bad).failure)
      #expect(error.encodingFailure != nil)
      expectNoSecret(in: error)
    }
    let dots = Request<Int>.get("/\("..")", query: ["api_key": Self.key])
    expectNoSecret(in: try #require(await client.result(of: dots).failure))
  }

  @Test func `endpoints clients and responses show no secret`() async throws {
    stub.stub(
      endpoint,
      with: .text(
        #"{"number": 1, "user": {"login": "a"}}"#, contentType: "application/json",
        [.setCookie: "session=set-6160"]))
    let log = Events<String>()
    let spy = FunctionMiddleware { request, next throws(Client.Error) in
      let response = try await next(request)
      log.note(allTexts(of: response))
      return response
    }
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.bearer(Self.token), spy]
      $0.headerFields[.authorization] = "Bearer \(Self.token)"
    }
    let response = try await client.response(for: endpoint)
    for value in [endpoint, client, client.configuration, response] as [Any] {
      expectNoSecret(in: value)
    }
    #expect(log.entries.count == 1)
    expectNoSecret(in: log.entries.joined())
    #expect("\(endpoint)".contains("GET /x?page=1&api_key=***"))
    #expect("\(response)".contains("login"))
  }

  @Test(arguments: [
    ("https://ann:pw@a.b/x", "https://a.b/x"), ("https://a.b/x?token", "https://a.b/x?token"),
    ("/x?token=1#sig=2", "/x?token=***#sig=***"), ("?a=1&&token=", "?a=1&&token=***"),
    ("https://a.b/@user?x=@y", "https://a.b/@user?x=@y"),
    ("https://a.b/x#token=1", "https://a.b/x#token=***"),
    // Names are secret in any case.
    (
      "https://a.b/?API_KEY=1&Api%5Fkey=2&x-pin=3&X-Pin=4&page=5",
      "https://a.b/?API_KEY=***&Api%5Fkey=***&x-pin=***&X-Pin=***&page=5"
    ),
  ])
  func `a URL is masked and nothing else`(url: String, masked: String) {
    var redaction = Redaction()
    redaction.queryItems.insert("X-Pin")
    #expect(redaction.redacting(url: url) == masked)
    let fields: HTTPFields = [.authorization: "Bearer x", .cookie: "a=b", .accept: "c"]
    #expect(
      redaction.redacting(fields) == [.authorization: "***", .cookie: "***", .accept: "c"])
  }

  @Test func `an honest text is not blanked by a short secret`() async throws {
    let short = Request<Issue>.get("/x", query: ["key": "a"])
    stub.stub(short, with: .json(#"{"message": "an apple a day"}"#, status: .badRequest))
    let failure = try #require(await client.result(of: short).failure?.statusFailure)
    #expect(failure.message == "an apple a day")
  }

  /// Credentials of middlewares below redirects are secret, too, and so are secrets in a reason phrase.
  @Test func `a cookie of the jar is shown nowhere`() async throws {
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.cookies()] }
    stub.stub(
      .get, "/x", with: .status(.ok, [.setCookie: "sid=jar-7788"]),
      .json(
        #"{"message": "jar-7788"}"#,
        status: HTTPResponse.Status(code: 400, reasonPhrase: "no session jar-7788")))
    let endpoint = Request<Void>.get("/x")
    try await client.send(endpoint)
    let error = try #require(await client.result(of: endpoint).failure)
    #expect(error.status?.code == 400)
    expectNoSecret(in: error)
    stub.stub(
      .get, "/to", with: .status(.found, [.location: "ftp://elsewhere.example/jar-7788"]))
    let refused = try #require(await client.result(of: Request<Void>.get("/to")).failure)
    expectNoSecret(in: refused)
  }
}
