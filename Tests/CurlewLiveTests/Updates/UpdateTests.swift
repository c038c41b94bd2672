import CurlewLive
import CurlewTesting
import Synchronization
import Testing

/// Which parts of a state are sent, and when.
@Suite(.timeLimit(.minutes(1)))
struct UpdateTests {
  @Test func `documents state is not sent again`() async throws {
    try await withServer(NotesPage()) { visitor in
      let document = try await visitor.open("/notes?q=curlew")
      let (stream, _) = try await visitor.connect(session: document.session, shown: document.shown)
      try await visitor.act("write", "tern", in: document.session)

      let event = try #require(try await stream.next())
      #expect(event.name == "state")
      // The address, the title and the text, but not the lookup's result.
      #expect(!event.data.contains("about"), "\(event.data)")
      #expect(event.data.contains("tern"))
    }
  }

  @Test func `connection that comes back gets what changed`() async throws {
    try await withServer(NotesPage()) { visitor in
      let (first, session) = try await visitor.connect(address: "?q=curlew")
      let shown = try await first.state { $0.html.contains("about curlew") }
      try await visitor.act("write", "tern", in: session)
      _ = try await first.state { $0.acknowledged == 1 }
      // The tab has lost the last update, so it gets everything; then it has the newest version, and gets nothing.
      let (second, _) = try await visitor.connect(session: session, shown: shown)
      let all = try #require(try await second.next())
      #expect(all.data.contains("about curlew"))
    }
  }

  @Test func `connection that has the last version gets only the rest`() async throws {
    try await withServer(NotesPage()) { visitor in
      let session: String
      let shown: EventStream.State
      do {
        let first = try await visitor.listen(address: "?q=curlew")
        session = try await first.hello()
        shown = try await first.state { $0.html.contains("about curlew") }
      }
      let (second, _) = try await visitor.connect(session: session, shown: shown)
      try await visitor.act("write", "tern", in: session)
      let event = try #require(try await second.next())
      #expect(!event.data.contains("about curlew"), "\(event.data)")
      let document = Document(shown.html)
      #expect(document.markup.contains("about curlew"))
    }
  }

  @Test func `event that is sent twice is applied once`() async throws {
    let looks = Mutex(0)
    let page = try NotesPage(
      Notes { text in
        looks.withLock { $0 += 1 }
        return "\(looks.withLock { $0 })"
      })
    try await withServer(page) { visitor in
      let (stream, session) = try await visitor.connect()
      #expect(try await visitor.act("look", in: session, number: 5) == 204)
      _ = try await stream.state { $0.html.contains(">1<") }
      // The response was lost: the browser resends this action, and earlier actions may arrive again, too.
      #expect(try await visitor.act("look", in: session, number: 5) == 204)
      #expect(try await visitor.act("look", in: session, number: 4) == 204)
      #expect(try await visitor.act("look", in: session, number: 6) == 204)
      _ = try await stream.state { $0.html.contains(">2<") }
    }
    #expect(looks.withLock { $0 } == 2)
  }

  @Test(arguments: ["", "short", String(repeating: "a", count: 65)])
  func `tab without a proper name has no stream`(tab: String) async throws {
    try await withServer(NotesPage()) { visitor in
      let stream = try await visitor.listen(tab: tab)
      #expect(stream.status == 400)
    }
  }

  @Test func `session belongs to the tab that used it first`() async throws {
    let other = String(repeating: "0", count: 16)
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.open("/notes?q=curlew").session
      #expect(try await visitor.act("write", "mine", in: session) == 204)
      #expect(try await visitor.act("write", "yours", in: session, tab: other) == 404)
      let copy = try await visitor.listen(session: session, address: "?q=tern", tab: other)

      #expect(try await copy.hello() != session && copy.isNew)
      #expect(try await copy.state().url == "/notes?q=tern")
    }
  }

  @Test(arguments: ["-1", "x", "99999999999999999999", "", "7"])
  func `version that nobody sent brings everything`(version: String) async throws {
    try await withServer(NotesPage()) { visitor in
      let session = try await visitor.open("/notes?q=curlew").session
      let (stream, _) = try await visitor.connect(session: session, version: version)

      #expect(try await stream.state().html.contains("about curlew"))
    }
  }
}
