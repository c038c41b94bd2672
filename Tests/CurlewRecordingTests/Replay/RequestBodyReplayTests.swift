import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Requests to one URL are told apart by their bodies: playwright.dev/docs/mock (Replaying from HAR),
/// microsoft/playwright#19948, microsoft/playwright#15778, vcr/vcr#8, assaf/node-replay#6, yaacov/harproxyserver#14.
@Suite(.timeLimit(.minutes(1)))
struct RequestBodyReplayTests {
  private static let json = "application/json"
  private static let form = "application/x-www-form-urlencoded"

  /// Returns a client of a recording whose entries respond with 1, 2, 3, ...
  private func client(
    _ bodies: [String?], _ mode: HARTransport.Mode = .strict,
    onNearMatch: @escaping HARTransport.NearMatchHandler = { _, _ in }
  ) -> Client {
    let entries = bodies.enumerated().map { index, body in
      HAR.Entry(
        .post, "https://a.b/x", body: body.map { Data($0.utf8) }, response: .json("\(index + 1)"))
    }
    return Client(baseURL: "https://a.b") {
      $0.transport = .har(HAR(entries: entries), mode: mode, onNearMatch: onNearMatch)
    }
  }

  private func post(_ body: String, _ type: String = json) -> Request<Int> {
    .post("/x", body: .data(Data(body.utf8), contentType: type))
  }

  private static func graphQL(_ name: String) -> String {
    #"{"operationName": "\#(name)", "query": "query \#(name) { x }"}"#
  }

  @Test func `GraphQL operations get their own responses`() async throws {
    let client = client(["Viewer", "Issues", "Labels"].map(Self.graphQL))
    #expect(try await client.send(post(Self.graphQL("Issues"))) == 2)
    #expect(try await client.send(post(Self.graphQL("Labels"))) == 3)
    #expect(try await client.send(post(Self.graphQL("Viewer"))) == 1)
    let error = await client.result(of: post(Self.graphQL("Viewer"))).failure
    #expect(error?.invalidRequest?.reason.hasPrefix("its only recording was already used") == true)
    let other = await client.result(of: post(Self.graphQL("Other"))).failure
    #expect(
      other?.invalidRequest?.reason
        == "this request is recorded only with another body; recorded requests: POST https://a.b/x")
  }

  @Test(arguments: [
    // Encoders write the members of an object in any order (RFC 8259 section 4).
    (
      #"{"a":1,"b":[true,null,{"c":"x","d":1.5}]}"#,
      "{ \"b\" : [true, null, {\"d\": 1.50, \"c\": \"\\u0078\"}],\n\"a\": 1 }", json
    ),
    (#"[{"a":1,"b":"\/"}]"#, #"[{"b": "/", "a": 1}]"#, "application/graphql-response+json"),
    (#"{"id":1234567890123456789}"#, #"{"id": 1234567890123456789}"#, json),
    (#"{"a":1e400}"#, #"{"a":1e400}"#, json), ("{broken", "{broken", json),
    ("plain", "plain", "text/plain"),
    ("a=1&b=x+y", "b=x%20y&a=1", form), ("a=1&a=2&b=", "b=&a=1&a=2", form),
    ("a=%C3%BC", "a=ü", form),
    // Secrets are masked in recordings, or others: a test has other credentials.
    (#"{"user":"ann","password":"***"}"#, #"{"password":"hunter2","user":"ann"}"#, json),
    (#"{"user":"ann","password":"other"}"#, #"{"password":7,"user":"ann"}"#, json),
    ("user=ann&password=***", "user=ann&password=hunter2", form),
    ("user=ann&password=other", "password=hunter2&user=ann", form),
    // A recorder masks the secrets of all requests everywhere.
    (#"{"note":"my *** and ***.","n":1}"#, #"{"n":1,"note":"my cat and dog."}"#, json),
    ("my *** and ***", "my cat and dog", "text/plain"), (#"{"a":***}"#, #"{"a":4711}"#, json),
    ("a=***", "a=x", form),
  ])
  func `Bodies of another form are equal`(recorded: String, sent: String, type: String) async throws
  {
    #expect(try await client(["other", recorded]).send(post(sent, type)) == 2)
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":2}"#, json), (#"{"a":1}"#, #"{"a":1,"b":2}"#, json),
    (#"{"a":1,"b":2}"#, #"{"a":1}"#, json),
    (#"{"a":"1"}"#, #"{"a":1}"#, json), ("[1,2]", "[2,1]", json), ("[1]", "[1,1]", json),
    (#"{"a":null}"#, #"{"a":false}"#, json), (#"{"a":null}"#, "{}", json), ("{}", "[]", json),
    (#"{"id":1234567890123456789}"#, #"{"id":1234567890123456788}"#, json),
    (#"{"user":"ann","password":"***"}"#, #"{"user":"bob","password":"x"}"#, json),
    ("a=1&a=2", "a=2&a=1", form), ("a=1", "a=1&b=", form), ("a=1", "a=1 ", "text/plain"),
    ("my *** and ***.", "my cat or dog.", "text/plain"), ("my ***.", "my cat", "text/plain"),
    ("x***x", "x", "text/plain"),
    ("x", "", "text/plain"),
  ])
  func `Another body is not replayed`(recorded: String, sent: String, type: String) async {
    let error = await client([recorded]).result(of: post(sent, type)).failure
    #expect(
      error?.invalidRequest?.reason.hasPrefix("this request is recorded only with another body")
        == true)
  }

  @Test func `A form with files has another boundary each time`() async throws {
    let stub = StubTransport()
    let recorder = HARRecorder()
    let recording = Client.recorded(by: recorder, stub: stub)
    let upload = { (name: String) in
      Request<Int>.post(
        "/x",
        body: .multipart(["name": name, "file": .data(Data([0xFF, 0, 13, 10]), fileName: "a")]))
    }
    for (index, name) in ["ann", "bob"].enumerated() {
      stub.stub(.post, "/x", with: .json("\(index)"))
      _ = try await recording.send(upload(name))
    }
    let har = try HAR(data: recorder.har.data())
    let client = Client(baseURL: "https://api.example.com") { $0.transport = .har(har) }
    #expect(try await client.send(upload("bob")) == 1)
    #expect(try await client.send(upload("ann")) == 0)
  }

  @Test func `A recorder's masks match other secrets`() async throws {
    let stub = StubTransport()
    let recorder = HARRecorder()
    let login = { (user: String, password: String) in
      Request<Int>.post(
        "/login",
        body: .data(
          Data(#"{"user": "\#(user)", "password": "\#(password)"}"#.utf8), contentType: Self.json))
    }
    let note = { (text: String) in
      Request<Int>.post("/note", body: .data(Data("I am \(text)".utf8), contentType: "text/plain"))
    }
    let recording = Client.recorded(by: recorder, stub: stub)
    stub.stub(.post, "/**", with: .json("1"))
    _ = try await recording.send(login("ann", "hunter2"))
    _ = try await recording.send(note("hunter2 too"))
    stub.stub(.post, "/**", with: .json("2"))
    _ = try await recording.send(login("bob", "swordfish"))
    #expect(!String(decoding: recorder.har.data(), as: UTF8.self).contains("hunter2"))
    let client = Client(baseURL: "https://api.example.com") { $0.transport = .har(recorder.har) }
    #expect(try await client.send(login("bob", "x")) == 2)
    #expect(try await client.send(login("ann", "y")) == 1)
    #expect(try await client.send(note("z too")) == 1)
  }

  @Test func `A body that is not recorded is any body`() async throws {
    let client = client([nil, "a", nil, ""])
    #expect(try await client.send(post("a", "text/plain")) == 2)
    #expect(try await client.send(post("b", "text/plain")) == 1)
    #expect(try await client.send(Request<Int>.post("/x")) == 3)
    #expect(try await client.send(post("c", "text/plain")) == 4)
  }

  @Test func `A streamed body is not compared`() async throws {
    let client = client(["a", "b"])
    let stream = Request<Int>.post(
      "/x",
      body: .stream {
        AsyncStream<Data> {
          $0.yield(Data("b".utf8)); $0.finish()
        }
      })
    #expect(try await client.send(stream) == 1)
  }

  @Test func `A truncated recorded body is compared to its end`() async throws {
    let texts = ["ab", "cd", #"{"password":"***","a":"#]
    let entries = texts.enumerated().map { index, text in
      var entry = HAR.Entry(
        .post, "https://a.b/x", body: Data(text.utf8), response: .json("\(index)"))
      entry.bodySize = 100
      return entry
    }
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(HAR(entries: entries)) }
    #expect(try await client.send(post("cde", "text/plain")) == 1)
    #expect(try await client.send(post("abc", "text/plain")) == 0)
    #expect(try await client.send(post(#"{"password":"x","a":1}"#)) == 2)
  }

  @Test func `Lenient replay takes the body that shares most`() async throws {
    let matches = Events<String>()
    let entries = [
      #"{"operationName": "A", "variables": {"at": 1}}"#,
      #"{"operationName": "B", "variables": {"at": 1}}"#,
      "a=1&b=1", "a=2&b=1",
    ]
    let client = client(entries, .lenient) { matches.note("\($0), \($1)") }
    #expect(try await client.send(post(#"{"variables": {"at": 2}, "operationName": "B"}"#)) == 2)
    #expect(try await client.send(post("b=9&a=2", Self.form)) == 4)
    #expect(try await client.send(post("nothing", "text/plain")) == 1)
    #expect(matches.entries.count == 3)
    #expect(matches.entries.first == "POST https://a.b/x, POST https://a.b/x")
    #expect(try await client.send(post(entries[1])) == 2)
    #expect(matches.entries.count == 3)
  }

  /// microsoft/playwright#34171, microsoft/playwright#21405.
  @Test func `Spellings of a URL are equal`() async throws {
    let urls = [
      "https://api.example.com:443/p1", "https://API.Example.com/p2",
      "https://api.example.com/p3?a=1#frag",
      "https://api.example.com/p4?q=a b|c", "https://api.example.com/p5?b=2&a=1",
      "https://api.example.com/p6?t=173845678126", "https://api.example.com/p7/%7Euser/caf%C3%A9",
      "https://api.example.com/p8?x[]=1",
    ]
    let entries = urls.enumerated().map { HAR.Entry(.get, $1, response: .json("\($0)")) }
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = .har(HAR(entries: entries), mode: .lenient)
    }
    let sent = [
      "/p1", "/p2", "/p3?a=1", "/p4?q=a%20b%7Cc", "/p5?a=1&b=2", "/p6?t=999", "/p7/~user/café",
      "/p8?x%5B%5D=1",
    ]
    for (index, path) in sent.enumerated() {
      #expect(try await client.send(Request<Int>.get(.url(URLReference(path)))) == index, "\(path)")
    }
  }
}

/// Exchanges that can't be replayed as they were recorded.
@Suite(.timeLimit(.minutes(1)))
struct IncompleteReplayTests {
  private func client(_ responses: String...) throws -> Client {
    let entries = responses.map {
      #"{"request": {"method": "GET", "url": "https://a.b/x"}, "response": \#($0)}"#
    }
    let har = try HAR(
      data: Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8))
    return Client(baseURL: "https://a.b") { $0.transport = .har(har) }
  }

  /// microsoft/playwright#22325: an aborted request has the status 200 or -1, the size -1 and `_failureText`.
  @Test(arguments: [
    (
      #"{"status": 200, "content": {"size": -1, "mimeType": "x-unknown"}, "_failureText": "net::ERR_ABORTED"}"#,
      "net::ERR_ABORTED"
    ),
    (#"{"status": 200, "content": {"size": 1234}, "_failureText": "a"}"#, "a"),
    (#"{"status": 200, "_error": "b"}"#, "b"),
    (#"{"status": 200, "_error": "", "_failureText": "c"}"#, "c"),
    (#"{"status": 200, "_error": "d", "_failureText": "e"}"#, "d"),
    (
      #"{"status": 200, "content": {"size": 1234, "text": "[1"}}"#,
      "2 of the 1234 bytes of this body are recorded"
    ),
    (
      #"{"status": 206, "content": {"size": 12, "text": "AAA=", "encoding": "base64"}}"#,
      "2 of the 12 bytes of this body are recorded"
    ),
  ])
  func `A failed or incomplete body is a failure`(response: String, reason: String) async throws {
    let client = try client(response, #"{"status": 200, "content": {"size": 1, "text": "1"}}"#)
    let request = Request<Int>.get("/x", headerFields: [.range: "bytes=0-"])
    let failure = await client.result(of: request).failure
    #expect(failure?.transportFailure?.reason == reason)
    #expect(try await client.send(request) == 1)
  }

  @Test(arguments: [
    #"{"status": -1, "content": {"size": -1}, "_failureText": "net::ERR_ABORTED"}"#,
    #"{"status": 0}"#, #"{"status": 200, "content": {"size": 1234}}"#, "null",
  ])
  func `A response that is missing is skipped`(response: String) async throws {
    let client = try client(response, #"{"status": 200, "content": {"size": 1, "text": "1"}}"#)
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  /// Sizes before a conversion to UTF-8, with a byte order mark, or (mitmproxy's savehar.py) of the compressed bytes.
  @Test(arguments: [
    #"{"status": 200, "content": {"size": 5, "text": "12"}}"#,
    #"{"status": 200, "content": {"size": 6, "text": "12"}, "headers": [{"name": "Content-Type", "value": "application/json; charset=utf-16"}]}"#,
    #"{"status": 200, "headers": [{"name": "Content-Encoding", "value": "gzip"}], "content": {"size": 22, "text": "12"}}"#,
    #"{"status": 200, "content": {"size": 1, "text": "12"}}"#,
    #"{"status": 200, "content": {"size": -1, "text": "12"}}"#,
    #"{"status": 200, "content": {"text": "12"}, "headers": [{"name": "Content-Length", "value": "99"}]}"#,
  ])
  func `A body with an inexact size is whole`(response: String) async throws {
    #expect(try await client(response).send(Request<Int>.get("/x")) == 12)
  }

  /// Chrome records 304 with the content of its cache, which the replaying client does not have.
  @Test func `A 304 with content is replayed as 200`() async throws {
    let client = try client(
      #"{"status": 304, "content": {"size": 2, "text": "12"}, "headers": [{"name": "ETag", "value": "\"1\""}]}"#,
      #"{"status": 304, "content": {"size": 2}}"#)
    let response = try await client.response(for: Request<Int>.get("/x"))
    #expect(
      response.value == 12 && response.head.status == .ok
        && response.head.headerFields[.eTag] == "\"1\"")
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.status == .notModified)
  }
}
