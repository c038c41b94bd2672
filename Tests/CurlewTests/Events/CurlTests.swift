import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("A request as a curl command", .timeLimit(.minutes(1)))
struct CurlTests {
  private let client = Client(baseURL: "https://api.example.com/v1")

  private func command(
    _ method: HTTPRequest.Method, _ path: Path = "/x", query: Query = [:],
    headerFields: HTTPFields = [:], body: RequestBody = .none, showsSecrets: Bool = false
  ) throws -> String {
    let client = Client(baseURL: client.baseURL) {
      $0.headerFields = [.accept: "*/*", .userAgent: "A/1"]
    }
    return try client.curl(
      for: Request<Void>(
        method, path, query: query, headerFields: headerFields, body: body, decoding: .discarded),
      showsSecrets: showsSecrets)
  }

  private static let fields = " \\\n  -H 'Accept: */*' \\\n  -H 'User-Agent: A/1'"

  @Test func `a request is one option a line`() throws {
    let issue = Request<Void>.post(
      "/repos/\("a b")/issues", query: ["page": 2], body: .json(["title": "It's ü"]))
    #expect(
      try client.curl(for: issue) == #"""
        curl --compressed 'https://api.example.com/v1/repos/a%20b/issues?page=2' \
          -H 'Accept: application/json, */*;q=0.5' \
          -H 'User-Agent: Curlew/1' \
          -H 'Content-Type: application/json' \
          --data-raw '{"title":"It'\''s ü"}'
        """#)
  }

  @Test(
    arguments: [
      (.get, "curl --compressed"), (.head, "curl --head --compressed"),
      (.delete, "curl -X DELETE --compressed"),
    ] as [(HTTPRequest.Method, String)])
  func `a method without a body is sent without one`(method: HTTPRequest.Method, start: String)
    throws
  {
    #expect(
      try command(method) == "\(start) https://api.example.com/v1/x" + Self.fields)
  }

  @Test func `an encoded body is shown only with secrets`() throws {
    for showsSecrets in [false, true] {
      let command = try command(
        .post, headerFields: [.contentEncoding: "x"],
        body: .data(Data("text".utf8), contentType: "application/json"), showsSecrets: showsSecrets)
      #expect(command.hasSuffix(showsSecrets ? "--data-raw text" : "--data-binary @body"))
    }
  }

  @Test(arguments: [.post, .put, .patch, .options] as [HTTPRequest.Method])
  func `an empty body has a length`(method: HTTPRequest.Method) throws {
    let start = method == .post ? "curl" : "curl -X \(method)"
    for body in [RequestBody.none, .data(Data())] {
      let type = body.contentType.map { "'Content-Type: \($0)'" } ?? "Content-Type:"
      #expect(
        try command(method, body: body) == "\(start) --compressed https://api.example.com/v1/x"
          + "\(Self.fields) \\\n  -H \(type) \\\n  --data-raw ''")
    }
  }

  @Test func `curl's own fields are switched off`() throws {
    let client = Client(baseURL: "http://127.0.0.1:80") { $0.headerFields = [:] }
    let body = RequestBody.stream { AsyncStream { $0.finish() } }
    var request = OutgoingRequest(
      head: HTTPRequest(method: .get, scheme: "http", authority: "a.b", path: "/"),
      endpoint: Request<Void>.get("/"))
    #expect(request.curl() == "curl --compressed http://a.b/ \\\n  -H Accept: \\\n  -H User-Agent:")
    request.body = OutgoingBody(Data(repeating: 97, count: 2000))
    #expect(request.curl().contains("\n  -H Content-Type: \\\n  -H Expect: \\\n  --data-raw aaa"))
    #expect(request.curl().hasPrefix("curl -X GET "))
    #expect(
      try client.curl(for: Request<Void>.post("/", body: body)) == """
        curl --compressed http://127.0.0.1/ \\
          -H 'Content-Type: application/octet-stream' \\
          -H 'Transfer-Encoding: chunked' \\
          -H Accept: \\
          -H User-Agent: \\
          -H Expect: \\
          --data-binary @body
        """)
  }

  @Test func `fields are in order with those that are empty`() throws {
    let odd: HTTPField.Name = "X-Odd"
    var fields: HTTPFields = [odd: "", .acceptEncoding: "br", .cookie: "a=b", .contentLength: "7"]
    for value in ["it's", " ", "$(x) `y` \\ \"z\" !1", "control \u{1B}\r\n: x"] {
      fields.append(HTTPField(name: odd, value: value))
    }
    fields.append(HTTPField(name: .cookie, value: "c=d"))
    #expect(
      try command(.get, headerFields: fields, showsSecrets: true) == #"""
        curl https://api.example.com/v1/x \
          -H 'X-Odd;' \
          -H 'Accept-Encoding: br' \
          -H 'X-Odd: it'\''s' \
          -H 'X-Odd;' \
          -H 'X-Odd: $(x) `y` \ "z" !1' \
          -H 'X-Odd: control    : x' \
          -H 'Accept: */*' \
          -H 'User-Agent: A/1' \
          -H 'Cookie: a=b; c=d'
        """#)
  }

  @Test func `curl leaves the URL as it is`() throws {
    let url = "https://api.example.com/v1/"
    #expect(
      try command(.get, "/\(raw: "a/../b")").hasPrefix(
        "curl --compressed --path-as-is \(url)a/../b"))
    #expect(
      try command(.get, "/\(raw: "a/%2E/b")").hasPrefix("curl --compressed --path-as-is \(url)"))
    let local = Client(baseURL: "http://[::1]:8080")
    #expect(
      try local.curl(for: Request<Void>.get("/")).hasPrefix(
        "curl --compressed --globoff 'http://[::1]:8080/'"))
    #expect(try command(.get, "/a'b").hasPrefix("curl --compressed '\(url)a'\\''b'"))
  }

  @Test func `bodies are shown where they can be`() throws {
    func end(_ data: Data) throws -> String {
      let command = try command(.post, body: .data(data))
      return try #require(command.split(separator: " \\\n  ").last.map { String($0) })
    }
    #expect(try end(Data("@a".utf8)) == "--data-raw @a")
    #expect(try end(Data("-d\n'\u{301}".utf8)) == "--data-raw '-d\n'\\''\u{301}'")
    let long = Data(String(repeating: "ü", count: 50_001).utf8)
    let others = ["a\tb", "\r\n", "\0", "\u{1B}[2J", "\u{7F}", "\u{9B}2J"].map { Data($0.utf8) }
    for body in others + [Data([255]), long] {
      #expect(try end(body) == "--data-binary @body")
    }
  }

  @Test func `a file is read by curl`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "it's -a $(file) \"ü\"\nx")
    try Data("abc".utf8).write(to: file)
    let command = try command(.put, body: .file(file))
    #expect(command.hasSuffix("--data-binary '@\(file.path.replacing("'", with: "'\\''"))'"))
    try FileManager.default.removeItem(at: file)
    #expect(throws: Client.Error.self) { try self.command(.put, body: .file(file)) }
  }

  private static let secrets = ["tok/en-4711", "hunter2", "cookie-5150", "pin-0815", "pass word"]

  private var secret: Request<Void> {
    .post(
      "/x", query: ["api_key": "hunter2", "pin": Sensitive("pin-0815"), "page": 1],
      headerFields: [.authorization: "Bearer tok/en-4711", .cookie: "a=cookie-5150"],
      body: .json(["password": "pass word", "a": "b", "copy": "tok/en-4711"]))
  }

  @Test func `secrets are masked unless asked for`() throws {
    let masked = try client.curl(for: secret)
    for secret in Self.secrets { #expect(!masked.contains(secret)) }
    #expect(masked.contains("'https://api.example.com/v1/x?api_key=***&pin=***&page=1'"))
    #expect(masked.contains("-H 'Authorization: ***'") && masked.contains("-H 'Cookie: ***'"))
    #expect(masked.contains(#""password":"***""#) && masked.contains(#""a":"b""#))
    let form = RequestBody.multipart(["password": "pass word"])
    #expect(try command(.post, body: form).hasSuffix("--data-binary @body"))
    let shown = try client.curl(for: secret, showsSecrets: true)
    for secret in Self.secrets {
      #expect(shown.contains(secret) || shown.contains(secret.replacing("/", with: "\\/")))
    }
    #expect(!shown.contains("***"))
  }

  @Test func `a middleware has the request as it is sent`() async throws {
    let (stub, log) = (StubTransport(), Events<String>())
    let spy = FunctionMiddleware { request, next throws(Client.Error) in
      log.note(request.curl())
      log.note(request.curl(showsSecrets: true))
      return try await next(request)
    }
    stub.stub(.get, "/x", with: .status(.ok))
    let client = Client.stubbed(by: stub) {
      ($0.middleware, $0.networkMiddleware) = ([.bearer("tok/en-4711")], [spy])
    }
    try await client.send(Request<Void>.get("/x"))
    #expect(log.entries.first?.contains("-H 'Authorization: ***'") == true)
    #expect(log.entries.last?.contains("-H 'Authorization: Bearer tok/en-4711'") == true)
  }

  @Test func `a request that cannot be made has no command`() throws {
    #expect(throws: Client.Error.self) {
      try client.curl(for: Request<Void>.post("/x", body: .json([Double.nan])))
    }
  }
}
