import CurlewLive
import HTTPTypes
import HummingbirdTesting
import Testing

/// The kept data of a tab whose session is gone: sent to another process or another version.
@Suite(.timeLimit(.minutes(1)))
struct KeptTests {
  private static let secret = "0123456789abcdef0123456789abcdef"

  private func page(version: String = "") throws -> NotesPage {
    var page = try NotesPage()
    (page.keepsText, page.version) = (true, version)
    return page
  }

  /// Returns the data that a tab keeps after a text was written.
  private func kept(_ text: String, by key: SigningKey, version: String = "") async throws -> String
  {
    try await withServer(page(version: version), key: key) { visitor in
      let (stream, session) = try await visitor.connect()
      try await visitor.act("write", text, in: session)
      return try await stream.state { $0.acknowledged == 1 }.kept
    }
  }

  private func restored(_ kept: String, by key: SigningKey, version: String = "") async throws
    -> String
  {
    try await withServer(page(version: version), key: key) { visitor in
      let stream = try await visitor.listen(fields: [("Live-Kept", kept)])
      return try await stream.state().title
    }
  }

  @Test(arguments: ["tern", "<b>\u{1F426} é\n", String(repeating: "ü", count: 2_048)])
  func `another process with the key restores it`(text: String) async throws {
    let kept = try await kept(text, by: SigningKey(secret: Self.secret))
    #expect(!kept.contains("\n"))
    #expect(try await restored(kept, by: SigningKey(secret: Self.secret)) == text)
  }

  @Test func `nothing else is restored`() async throws {
    let key = try SigningKey(secret: Self.secret)
    let kept = try await kept("tern", by: key)
    let code = kept.prefix { $0 != "." }
    for other in ["", ".", "tern", "\(code).", "\(code).dGVybnM=", "AAAA." + kept, "x" + kept] {
      #expect(try await restored(other, by: key) == "Notes")
    }
    #expect(try await restored(kept, by: .random()) == "Notes")
    #expect(try await restored(kept, by: key, version: "2") == "Notes")
  }

  @Test func `what is too long is not kept`() async throws {
    let text = String(repeating: "a", count: 4_097)
    #expect(try await kept(text, by: .random()) == "")
  }

  @Test func `nothing is kept once there is nothing`() async throws {
    try await withServer(page()) { visitor in
      let (stream, session) = try await visitor.connect()
      try await visitor.act("write", "tern", in: session, number: 1)
      #expect(try await stream.state { $0.acknowledged == 1 }.kept != "")
      try await visitor.act("write", "", in: session, number: 2)
      #expect(try await stream.state { $0.acknowledged == 2 }.kept == "")
    }
  }

  @Test func `the document has it too`() async throws {
    let key = try SigningKey(secret: Self.secret)
    let page = try page()
    let kept = try #require(key.sign("curlew", for: page))
    try await site(page, key: key).test(.router) { client in
      let document = try await client.execute(uri: "/notes?q=curlew", method: .get)
      #expect(document.text.contains("data-live-state=\"\(kept)\""))
    }
  }

  @Test func `a short secret is refused`() {
    #expect(throws: SigningKey.WeakSecret.self) { try SigningKey(secret: "secret") }
  }

  @Test(arguments: ["", "x", String(repeating: "G", count: 32), String(repeating: "a", count: 33)])
  func `name that is no sessions is not taken`(name: String) async throws {
    try await withServer(NotesPage()) { visitor in
      let stream = try await visitor.listen(session: name)
      #expect(try await stream.hello() != name)
    }
  }

  @Test func `document takes the name that a load balancer gives it`() async throws {
    let name = String(repeating: "0123456789abcdef", count: 2)
    try await site(NotesPage()).test(.router) { client in
      let document = try await client.execute(
        uri: "/notes", method: .get, headers: [.liveSession: name])
      #expect(document.session == name)
      let other = try await client.execute(
        uri: "/notes", method: .get, headers: [.liveSession: name])
      #expect(other.session != name)
    }
  }

  @Test func `tab with another version loads the document again`() async throws {
    let version = try await withServer(page(version: "1")) { visitor in
      try await visitor.document().firstMatch(of: #/data-live-build="(\w+)"/#).map { String($0.1) }
    }
    let build = try #require(version)
    for (version, name) in [("1", "hello"), ("2", "reload")] {
      try await withServer(page(version: version)) { visitor in
        let stream = try await visitor.listen(fields: [("Live-Build", build)])
        #expect(try await stream.next()?.name == name)
      }
    }
  }
}
