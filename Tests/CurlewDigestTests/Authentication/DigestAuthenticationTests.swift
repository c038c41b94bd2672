import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DigestAuthenticationTests {
  private let stub = StubTransport()
  private let client: Client

  init() {
    client = .stubbed(by: stub) { [stub] in
      $0.transport = stub
      $0.middleware = [.digestAuthentication(user: "Mufasa", password: "pa55word")]
    }
  }

  private static func challenge(_ nonce: String, _ more: String = "") -> StubResponse {
    .status(.unauthorized, [.wwwAuthenticate: value(nonce, more)])
  }

  private static func value(
    _ nonce: String, _ more: String = "", _ algorithm: String = "SHA-256"
  ) -> String {
    #"Digest realm="r", qop="auth", algorithm=\#(algorithm), nonce="\#(nonce)"\#(more)"#
  }

  private let get = Request<Void>.get("/x")

  /// The credentials of the requests, as the values of these parameters; `nil` without credentials.
  private func sent(_ names: String...) -> [String?] {
    stub.requests.map { request in
      request.head.headerFields[.authorization].map { field in
        names.map { name in
          let value = field.firstMatch(of: try! Regex(#"\b\#(name)="?([^",]*)"?"#))?.output[1]
            .substring
          return value.map { String($0) } ?? "-"
        }.joined(separator: " ")
      }
    }
  }

  @Test func `a URL elsewhere gets no credentials`() async throws {
    stub.stub(.get, "/**", with: Self.challenge("n1"), .status(.ok))
    let elsewhere = Request<Void>.get(.url("https://elsewhere.example/x"))
    await #expect(throws: Client.Error.self) { try await client.send(elsewhere) }
    #expect(sent("nonce") == [nil])
  }

  @Test func `later requests begin with the known nonce`() async throws {
    stub.stub(.get, "/**", with: Self.challenge("n1"), .status(.ok))
    for query: Query in [[:], ["c": "d"], [:]] {
      try await client.send(Request<Void>.get("/a", query: query))
    }
    #expect(
      sent("nonce", "nc", "uri") == [
        nil, "n1 00000001 /a", "n1 00000002 /a?c=d", "n1 00000003 /a",
      ])
    // `-sess` algorithms need a single client nonce per server nonce.
    #expect(Set(sent("cnonce").dropFirst()).count == 1)
  }

  @Test func `an old nonce is replaced once`() async throws {
    stub.stub(
      .get, "/**", with: Self.challenge("n1"), .status(.ok), Self.challenge("n2", ", stale=true"),
      .status(.ok))
    try await client.send(get)
    try await client.send(get)
    try await client.send(get)
    #expect(
      sent("nonce", "nc") == [nil, "n1 00000001", "n1 00000002", "n2 00000001", "n2 00000002"])
  }

  @Test func `wrong credentials are sent once`() async throws {
    stub.stub(.get, "/**", with: Self.challenge("n1"))
    #expect(await client.error(of: get)?.status == .unauthorized)
    #expect(sent("nc") == [nil, "00000001"])
    // The next call does not start with the rejected credentials.
    #expect(await client.error(of: get)?.status == .unauthorized)
    #expect(sent("nc") == [nil, "00000001", nil, "00000001"])
  }

  @Test(arguments: [
    ([value("a", "", "MD5") + ", " + value("b"), #"Basic realm="z""#], "b"),
    ([value("a", "", "MD5"), value("b", "", "SHA-256"), value("c")], "b"),
    ([value("a", "", "SHA-512-999") + ", " + value("b", "", "MD5-sess")], "b"),
    ([#"Negotiate, Basic realm="a, Digest b", "# + value("b")], "b"),
    (["Negotiate abc==, " + value("b") + ", Basic realm=x"], "b"),
    ([value("b"), value("c")], "b"), ([#"Digest realm="r", nonce=b, x"#], "b"),
    ([#", ,Digest ,realm="r" ,, nonce="b","#], "b"), (["@@, " + value("b")], "b"),
  ])
  func `the strongest of several challenges is taken`(one: ([String], String)) async throws {
    let fields = HTTPFields(one.0.map { HTTPField(name: .wwwAuthenticate, value: $0) })
    stub.stub(.get, "/**", with: .status(.unauthorized, fields), .status(.ok))
    try await client.send(get)
    #expect(sent("nonce") == [nil, one.1])
  }

  /// RFC 7616 section 3.3 quotes these values; RFC 2617 devices and curl's digest.c read them without quotes, too.
  @Test(arguments: [
    (#"Digest realm=r, nonce=dcd98b/7102+dd2f:0e8b==, qop=auth"#, "dcd98b/7102+dd2f:0e8b== r auth"),
    ("Digest realm=My Camera , nonce=b, qop=auth", "b My Camera auth"),
    ("Digest nonce=b,realm=r,qop=auth,auth-int,algorithm=MD5", "b r auth"),
    ("Digest qop=auth-int,auth, nonce=b==, realm=r", "b== r auth"),
    ("Digest qop=auth, auth-int, nonce=b, realm=r, Basic realm=x", "b r auth"),
    (#"Digest realm="r", nonce=a@b;c=, opaque=x=, qop="auth""#, "a@b;c= r auth"),
    // An empty list is none, as in RFC 2069.
    (#"Digest realm="r", nonce="b", qop="""#, "b r -"),
    (#"Digest qop=, realm="r", nonce="b""#, "b r -"),
    (#"Digest realm="r", qop=" ", nonce="b""#, "b r -"),
    (#"Digest realm="r", qop=",", nonce="b""#, "b r -"),
    (#"Digest realm="r", nonce="b", qop="", algorithm=MD5"#, "b r -"),
  ])
  func `values without quotes and an empty qop are read`(value: String, expected: String)
    async throws
  {
    stub.stub(.get, "/**", with: .status(.unauthorized, [.wwwAuthenticate: value]), .status(.ok))
    try await client.send(get)
    #expect(sent("nonce", "realm", "qop") == [nil, expected])
  }

  @Test(arguments: [
    "", #"Basic realm="x""#, value("n", "", "SHA-1"), value("n", "", "MD5x-sess"),
    #"Digest realm="r", nonce="n", qop="auth-int""#, #"Digest nonce="n""#, #"Digest realm="n""#,
    "Digest", #"Digest realm="r", nonce="n", qop="x""#,
    "Digest realm=r, nonce=n, qop=auth-int", "Digest realm=r, nonce=n, qop=, algorithm=MD5-sess",
    #"Digest realm="r", nonce="n", algorithm=MD5-sess"#, "Digest abc==", "Bearer",
  ])
  func `other challenges stay`(value: String) async throws {
    stub.stub(.get, "/**", with: .status(.unauthorized, [.wwwAuthenticate: value]))
    #expect(await client.error(of: get)?.status == .unauthorized)
    #expect(stub.requests.count == 1)
  }

  @Test func `mutated challenges get at most one response`() async throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let samples = [
      Self.value("n1", #", opaque="o", domain="/ https://a/b", charset=UTF-8, userhash=true"#),
      "Negotiate abc==, " + Self.value("n"), #"Basic realm="a\"b", Digest realm="r", nonce=n"#,
      #"Digest realm="r", nonce="n", qop="auth-int, auth", algorithm=MD5-sess"#,
    ]
    for _ in 0..<Fuzz.runs(2_000) {
      let text = mutated(samples, &random)
      let stub = StubTransport()
      stub.stub(.get, "/x", with: .status(.unauthorized, [.wwwAuthenticate: text]), .status(.ok))
      let client = Client.stubbed(by: stub) {
        $0.middleware = [.digestAuthentication(user: "u", password: "p")]
      }
      let error = await client.error(of: get)
      #expect(error == nil ? stub.requests.count == 2 : stub.requests.count == 1, "\(text)")
    }
  }

  @Test func `a body is sent again if it can be read`() async throws {
    let data = Data("body".utf8)
    stub.stub(.post, "/x", with: Self.challenge("n1"), .status(.ok))
    try await client.send(Request<Void>(.post, "/x", body: .data(data), decoding: .discarded))
    #expect(stub.requests.map { $0.body?.data } == [data, data])
    stub.stub(.post, "/y", with: Self.challenge("n2"), .status(.ok))
    let first = Request<Void>(.post, "/y", body: .once(data), decoding: .discarded)
    #expect(await client.error(of: first)?.status == .unauthorized)
    // The nonce is known now.
    try await client.send(Request<Void>(.post, "/y", body: .once(data), decoding: .discarded))
    #expect(sent("nonce") == [nil, "n1", "n1", "n2"])
  }

  @Test func `an endpoint's own credentials take precedence`() async throws {
    stub.stub(.get, "/**", with: Self.challenge("n1"))
    let own = Request<Void>(
      .get, "/x", headerFields: [.authorization: "Own x"], decoding: .discarded)
    #expect(await client.error(of: own)?.status == .unauthorized)
    #expect(stub.requests.map { $0.head.headerFields[.authorization] } == ["Own x"])
  }

  @Test func `another origin gets no credentials`() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "https://other.example/y"]))
    stub.stub(.get, "/y", with: Self.challenge("n1"))
    #expect(await client.error(of: get)?.status == .unauthorized)
    #expect(sent("nonce") == [nil, nil])
    // Also after the origin itself has sent a challenge.
    stub.stub(
      .get, "/x", with: Self.challenge("n2"),
      .status(.found, [.location: "https://other.example/y"]))
    #expect(await client.error(of: get)?.status == .unauthorized)
    #expect(sent("nonce") == [nil, nil, nil, "n2", nil])
  }

  @Test func `each URI of a redirect gets its own credentials`() async throws {
    stub.stub(.get, "/x", with: Self.challenge("n1"), .status(.found, [.location: "/y"]))
    stub.stub(.get, "/y", with: Self.challenge("n1"), .status(.ok))
    try await client.send(get)
    #expect(
      sent("uri", "nc") == [nil, "/x 00000001", nil, "/y 00000002"])
  }

  @Test func `a loop of redirects and challenges ends`() async throws {
    stub.stub(
      .get, "/**",
      with: .sample { request in
        let path = request.head.path ?? "/"
        guard request.head.headerFields[.authorization] != nil else {
          return Sample(
            status: .unauthorized, headerFields: [.wwwAuthenticate: Self.value("n")])
        }
        return Sample(status: .found, headerFields: [.location: path + "x"])
      })
    #expect(await client.error(of: get)?.status == .unauthorized)
    #expect(stub.requests.count < 40)
  }

  @Test func `concurrent requests count each number once`() async throws {
    stub.stub(
      .get, "/**",
      with: .sample { request in
        request.head.headerFields[.authorization] == nil
          ? Sample(status: .unauthorized, headerFields: [.wwwAuthenticate: Self.value("n")])
          : Sample()
      })
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 { group.addTask { [client, get] in try await client.send(get) } }
      try await group.waitForAll()
    }
    let counts = sent("nc").compactMap { $0 }
    #expect(counts.count == 50)
    #expect(Set(counts).count == 50)
    #expect(Set(sent("cnonce").compactMap { $0 }).count == 1)
  }

  @Test func `client nonces are random by default`() async throws {
    stub.stub(
      .get, "/**", with: Self.challenge("a"), .status(.ok), Self.challenge("b"), .status(.ok))
    try await client.send(get)
    try await client.send(get)
    let nonces = Set(sent("cnonce").compactMap { $0 })
    #expect(nonces.count == 2)
    #expect(nonces.allSatisfy { $0.count > 16 })
  }

  @Test func `the password is in no text`() async throws {
    stub.stub(
      .get, "/**", with: Self.challenge("n1"),
      .sample { request in
        let field = request.head.headerFields[.authorization] ?? ""
        return Sample(status: .forbidden, body: Data("you sent \(field)".utf8))
      })
    let error = try #require(await client.error(of: get))
    guard case .status(let failure) = error else { throw error }
    #expect(String(decoding: failure.body, as: UTF8.self) == "you sent ***")
    var dumped = ""
    dump(error, to: &dumped)
    dump(client.configuration.middleware, to: &dumped)
    #expect(!dumped.contains("pa55word") && !dumped.contains("cnonce"))
    #expect(dumped.contains("***"))
  }
}
