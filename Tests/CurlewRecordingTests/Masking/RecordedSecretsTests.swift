import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A recording's bytes must not contain secrets from any source, in any escaped form.
@Suite(.timeLimit(.minutes(1)))
struct RecordedSecretsTests {
  private static let key = "hunter2/+x=="
  private static let encodedKey = "hunter2%2F%2Bx%3D%3D"
  private static let token = "tok/en-4711"

  private let stub = StubTransport()
  private let recorder = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000) }
  private let endpoint = Request<Data>.get(
    "/x", query: ["page": 1, "api_key": key, "pin": Sensitive("pin-0815")],
    headerFields: [.cookie: "session=cookie-5150", .accept: "text/plain"])

  private func client(configure: (inout Client.Configuration) -> Void = { _ in }) -> Client {
    .stubbed(by: stub) {
      $0.middleware = [.bearer(Self.token)]
      $0.networkMiddleware = [.cookies(), .recording(recorder)]
      configure(&$0)
    }
  }

  /// Searches the file's bytes, also with escapes and base64 decoded.
  private func expectNone(
    of secrets: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let har = recorder.har
    let checker = HARChecker(har.data())
    #expect(checker.problems == [] && checker.contradictions == [], sourceLocation: sourceLocation)
    #expect(!har.entries.isEmpty)
    let file = String(decoding: har.data(), as: UTF8.self)
    let bodies = har.entries.flatMap { [$0.response.body, $0.body ?? Data()] }
    let texts = [file] + bodies.map { String(decoding: $0, as: UTF8.self) }
    for secret in secrets + ["hunter2", "en-4711", "pin-0815", "cookie-5150"] {
      for text in texts {
        for text in [text, text.removingPercentEncoding ?? text, text.replacing("\\", with: "")] {
          #expect(!text.contains(secret), "\(secret) in \(text)", sourceLocation: sourceLocation)
        }
      }
    }
  }

  /// A server that quotes everything it receives.
  private static let echo =
    "\(key) \(encodedKey) \(token) pin-0815 session=cookie-5150 tok\\/en-4711 hunter2\\/+x== "
    + "or cookie-5150 tok%2fen-4711 hunter2%2f%2Bx== tok\\u002fen-4711 tok%252Fen-4711 tok&#x2F;"

  @Test func `a requests secrets are masked`() async throws {
    stub.stub(endpoint, with: .json("1"))
    _ = try await client().send(endpoint)
    try expectNone()
    let entry = try #require(recorder.har.entries.first)
    #expect(entry.url == "https://api.example.com/x?page=1&api_key=***&pin=***")
    #expect(entry.headerFields[.authorization] == "***" && entry.headerFields[.cookie] == "***")
    #expect(entry.headerFields[.accept] == "text/plain")
  }

  @Test func `what a server quotes is masked`() async throws {
    let name = try #require(HTTPField.Name("X-Request-URL"))
    stub.stub(
      endpoint,
      with: .sample(
        Sample(
          status: HTTPResponse.Status(code: 401, reasonPhrase: "no \(Self.token)"),
          headerFields: [
            .setCookie: "session=set-6160", .contentType: "application/json",
            name: "https://a.b/x?api_key=\(Self.encodedKey)",
          ], body: Data(#"{"message": "Bad: \#(Self.echo)", "again": "set-6160"}"#.utf8))),
      .data(Data(Self.echo.utf8) + Data([0xFF])))
    _ = await client().result(of: endpoint)
    _ = await client().result(of: endpoint)
    try expectNone(of: "set-6160")
    let entry = try #require(recorder.har.entries.first)
    #expect(
      String(decoding: entry.response.body, as: UTF8.self).hasPrefix(#"{"message": "Bad: ***"#))
    #expect(entry.response.status.reasonPhrase == "no ***")
  }

  @Test func `errors are masked`() async throws {
    struct Quoting: Error, CustomStringConvertible {
      let description = "no \(RecordedSecretsTests.echo)"
    }
    stub.stub(endpoint, with: .failure(Quoting()))
    _ = await client().result(of: endpoint)
    try expectNone()
    #expect(recorder.har.entries.first?.failure?.contains("no ***") == true)
  }

  @Test(arguments: [
    "https://a.b/?token=hunter2&x=1#access_token=hunter2", "https://ann:hunter2@a.b/",
    "//ann:hunter2@a.b/?next=http://a.b", "/y?sig=hunter2",
  ])
  func `a redirect's target is masked`(location: String) async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: location]))
    stub.stub(.get, "/", with: .json(#""hunter2""#))
    stub.stub(.get, "/y", with: .json(#""hunter2""#))
    _ = await client().result(of: endpoint)
    try expectNone()
  }

  /// These values are too short to be masked elsewhere.
  @Test func `short secrets of a redirect's target are masked`() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "https://ann:pw@a.b/y?key=q#jwt=r"]))
    _ = await client().result(of: endpoint)
    try expectNone(of: "ann", "pw@", "=q", "=r")
    let location = recorder.har.entries.first?.response.headerFields[.location]
    #expect(location == "https://a.b/y?key=***#jwt=***")
  }

  @Test func `fields that quote a secret are masked`() async throws {
    let trace = try #require(HTTPField.Name("X-Trace"))
    stub.stub(
      .get, "/x",
      with: .sample(Sample(headerFields: [trace: "by \(Self.token), tok%2Fen-4711; id=7"])))
    let sent = Request<Data>.get("/x", headerFields: [trace: Self.token])
    _ = await client().result(of: sent)
    try expectNone()
    let entry = try #require(recorder.har.entries.first)
    #expect(entry.response.headerFields[trace] == "by ***, ***; id=7")
    #expect(entry.headerFields[trace] == "***")
  }

  @Test func `secrets of a redirected request are masked under other names`() async throws {
    stub.stub(
      .get, "/x", with: .status(.found, [.location: "/y?code=\(Self.encodedKey)&p=pin-0815"]))
    stub.stub(.get, "/y", with: .json("1"))
    _ = await client().result(of: endpoint)
    try expectNone()
    #expect(recorder.har.entries.last?.url == "https://api.example.com/y?code=***&p=***")
  }

  @Test func `a cookie of the jar is masked everywhere`() async throws {
    stub.stub(
      .get, "/x",
      with: .status(.ok, [.setCookie: "sid=jar-7788; Path=/, other=jar-9900"]),
      .json(#"{"message": "jar-7788"}"#))
    for _ in 1...2 { _ = await client().result(of: endpoint) }
    try expectNone(of: "jar-7788", "jar-9900")
  }

  @Test func `a password of basic credentials is masked`() async throws {
    let client = client {
      $0.middleware = [.basic(user: "ann", password: "hunter2-and-more")]
    }
    let credentials = Data("ann:hunter2-and-more".utf8).base64EncodedString()
    let other = Data("{\"user\": \"an\", \"p\": \"hunter2-and-more\"}".utf8).base64EncodedString()
    stub.stub(
      .get, "/x",
      with: .json(#"{"message": "hunter2-and-more? \#(credentials) \#(other)"}"#))
    _ = await client.result(of: Request<Data>.get("/x"))
    try expectNone(of: "and-more", credentials)
    let text = String(decoding: recorder.har.data(), as: UTF8.self)
    for length in [8, 12] {
      for start in stride(from: 24, to: other.count - length - 6, by: 4) {
        let part = other.dropFirst(start).prefix(length)
        #expect(!text.contains(part), "\(start) \(part)")
      }
    }
  }

  @Test func `forms and JSON are masked by name`() async throws {
    stub.stub(
      .post, "/login",
      with: .json(#"{"access_token": "tok-aaaa", "user": "ann", "id_token": null, "pwd": "ab"}"#),
      .json(#"{"error": "wrong: form-3344, form%2D3344"}"#), .json(#"{"was": "json-5566"}"#))
    let client = client()
    for body in [
      RequestBody.none, .form(["user": "ann", "password": "form-3344"]),
      .data(
        Data(#"{"user": "ann", "client_secret": "json-5566"}"#.utf8),
        contentType: "application/json"),
    ] {
      _ = try await client.send(Request<Data>.post("/login", body: body))
    }
    try expectNone(of: "tok-aaaa", "form-3344", "json-5566")
    let entries = recorder.har.entries
    #expect(
      String(decoding: entries[0].response.body, as: UTF8.self)
        == #"{"access_token": "***", "user": "ann", "id_token": null, "pwd": "***"}"#)
    #expect(entries[1].body == Data("user=ann&password=***".utf8))
    #expect(entries[2].body == Data(#"{"user": "ann", "client_secret": "***"}"#.utf8))
  }

  /// The name in the first response doesn't matter.
  @Test func `a token that a later request carries is masked in the earlier response`() async throws
  {
    stub.stub(.post, "/login", with: .json(#"{"ticket": "tgt/12-34"}"#))
    stub.stub(.get, "/x", with: .json("1"))
    let client = client { $0.middleware = [] }
    _ = try await client.send(Request<Data>.post("/login"))
    #expect(String(decoding: recorder.har.data(), as: UTF8.self).contains("tgt/12-34"))
    let field: HTTPFields = [.authorization: "Bearer tgt/12-34"]
    _ = try await client.send(Request<Data>.get("/x", headerFields: field))
    try expectNone(of: "12-34")
  }

  @Test func `a token of a request that is not kept is masked`() async throws {
    let recorder = HARRecorder(limit: 2_000)
    stub.stub(.post, "/login", with: .json(#"{"ticket": "tgt/12-34"}"#))
    stub.stub(.get, "/x", with: .json("1"))
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.recording(recorder)] }
    _ = try await client.send(Request<Data>.post("/login"))
    let field: HTTPFields = [.authorization: "Bearer tgt/12-34"]
    _ = try await client.send(Request<Data>.get("/x", headerFields: field))
    #expect(recorder.har.entries.count == 1 && recorder.har.comment != nil)
    #expect(!String(decoding: recorder.har.data(), as: UTF8.self).contains("12-34"))
  }

  @Test func `a secret at the cut of a body is masked`() async throws {
    for count in 1...Self.token.utf8.count {
      for text in [Self.token, "tok%2Fen-4711", "tok\\u002Fen-4711"] {
        let recorder = HARRecorder(bodyLimit: 20 + count)
        stub.stub(endpoint, with: .data(Data((String(repeating: "=", count: 20) + text).utf8)))
        let client = client { $0.networkMiddleware = [.recording(recorder)] }
        _ = try await client.send(endpoint)
        let body = recorder.har.entries.first?.response.body
        #expect(body == Data((String(repeating: "=", count: 20) + "***").utf8), "\(count) \(text)")
      }
    }
  }

  @Test func `a secret of which only the beginning arrived is masked`() async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .body(first: Data(": tok/en-".utf8), heldBy: gate))
    let response = try await client().stream(endpoint)
    var chunks = response.makeAsyncIterator()
    _ = try await chunks.next()
    #expect(recorder.har.entries.first?.response.body == Data(": ***".utf8))
    #expect(recorder.har.entries.first?.comment == "The response's body was still arriving.")
  }

  @Test func `signed links in bodies are masked`() async throws {
    let link = "https://a.b/f?X-Amz-Signature=hunter2&amp;b=1\\u0026token=hunter2#sig=hunter2"
    stub.stub(.get, "/x", with: .json(#"{"a": "\#(link)", "b": "<https://a.b/?jwt=hunter2>"}"#))
    _ = try await client().send(endpoint)
    try expectNone()
    #expect(
      String(decoding: recorder.har.entries[0].response.body, as: UTF8.self)
        == #"{"a": "https://a.b/f?X-Amz-Signature=***&amp;b=1\u0026token=***#sig=***", "#
        + #""b": "<https://a.b/?jwt=***>"}"#)
  }

  @Test func `what an app calls secret is masked`() async throws {
    let pin = try #require(HTTPField.Name("X-Pin"))
    var redaction = Redaction()
    redaction.headerFields.insert(pin)
    let recorder = HARRecorder(redaction: redaction)
    stub.stub(
      .get, "/x", with: .sample(Sample(headerFields: [pin: "pin-2"], body: Data("pin-2".utf8))))
    let client = client { $0.networkMiddleware = [.recording(recorder)] }
    _ = try await client.send(Request<Data>.get("/x", headerFields: [pin: "pin-1"]))
    let text = String(decoding: recorder.har.data(), as: UTF8.self)
    #expect(!text.contains("pin-1") && !text.contains("pin-2"))
  }

  @Test func `honest texts stay as they are`() async throws {
    let text = #"{"open": true, "license": {"key": "apache-2.0"}, "url": "/licenses/apache-2.0"}"#
    stub.stub(
      .get, "/y",
      with: .sample(
        Sample(
          headerFields: [
            .setCookie: "a=true", .setCookie: "b=b", .setCookie: "c=license; Max-Age=0",
            .contentType: "application/json",
          ], body: Data(text.utf8))))
    _ = try await client { $0.middleware = [] }.send(Request<Data>.get("/y", query: ["key": "a"]))
    #expect(
      String(decoding: recorder.har.entries[0].response.body, as: UTF8.self) == text)
  }
}
