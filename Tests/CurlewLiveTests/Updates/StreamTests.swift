import AsyncHTTPClient
import CurlewLive
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
  @Test func `a stream begins with its session and its state`() async throws {
    try await withServer(NotesPage()) { visitor in
      let (stream, session) = try await visitor.connect(address: "?q=curlew")
      let state = try await stream.state { $0.html.contains("about") }

      #expect(stream.status == 200)
      #expect(session.count == 32)
      #expect(state.html == #"<input value="curlew"><p id="found">about curlew</p>"#)
      #expect(state.title == "curlew")
      #expect(state.url == "/notes?q=curlew")
      #expect(state.isHistoryEntry)
    }
  }

  @Test func `an event brings a state that says it has seen it`() async throws {
    try await withServer(NotesPage()) { visitor in
      let (stream, session) = try await visitor.connect()
      #expect(try await stream.state().acknowledged == 0)

      #expect(try await visitor.act("write", "tern", in: session, number: 7) == 204)
      let state = try await stream.state { $0.acknowledged == 7 }

      #expect(state.url == "/notes?q=tern")
      // An action that changes nothing is acknowledged, too.
      try await visitor.act("write", "tern", in: session, number: 8)
      #expect(try await stream.state().acknowledged == 8)
    }
  }

  @Test func `text that is spelled differently is another`() async throws {
    try await withServer(NotesPage()) { visitor in
      let (stream, session) = try await visitor.connect()
      try await visitor.act("write", "caf\u{E9}", in: session, number: 1)
      #expect(try await stream.state { $0.acknowledged == 1 }.url == "/notes?q=caf%C3%A9")
      try await visitor.act("write", "cafe\u{301}", in: session, number: 2)
      #expect(try await stream.state { $0.acknowledged == 2 }.url == "/notes?q=cafe%CC%81")
    }
  }

  @Test(arguments: ["Content-Length: 100000", "Transfer-Encoding: chunked"])
  func `stream is refused to a request with content`(field: String) async throws {
    var limits = LiveServerLimits()
    limits.bodyTime = .seconds(600)
    try await withServer(NotesPage(), server: .live(limits: limits)) { visitor in
      let wire = try await visitor.wire(
        "GET /notes/live HTTP/1.1\r\nHost: localhost\r\nLive-Tab: \(tab)\r\n\(field)\r\n\r\n")
      // The server does not wait for the content: this reads until it closes the connection.
      #expect(try await wire.read().hasPrefix("HTTP/1.1 413 "))
      wire.close()
    }
  }

  @Test func `the back button brings an address`() async throws {
    try await withServer(NotesPage()) { visitor in
      let (stream, session) = try await visitor.connect(address: "?q=curlew")
      #expect(try await visitor.act("live:navigate", "?q=a+tern", in: session) == 204)
      let state = try await stream.state { $0.html.contains("about a tern") }

      #expect(state.title == "a tern")
    }
  }

  @Test func `a pages stream continues its session`() async throws {
    let looks = Mutex(0)
    let page = try NotesPage(
      Notes { text in
        looks.withLock { $0 += 1 }
        return "about \(text)"
      })
    try await withServer(page) { visitor in
      let (first, session) = try await visitor.connect(address: "?q=curlew")
      _ = try await first.state { $0.html.contains("about curlew") }
      // A different address does not matter for an existing session.
      let second = try await visitor.listen(session: session, address: "?q=tern")

      #expect(try await second.hello() == session)
      #expect(try await second.state().url == "/notes?q=curlew")
    }
    #expect(looks.withLock { $0 } == 1)
  }

  @Test func `an unknown session begins at the address`() async throws {
    try await withServer(NotesPage()) { visitor in
      let gone = String(repeating: "0", count: 32)
      let stream = try await visitor.listen(session: gone, address: "?q=curlew")

      // The session keeps its name, by which a load balancer routes to this server again.
      #expect(try await stream.hello() == gone)
      #expect(stream.isNew)
      #expect(try await stream.state().url == "/notes?q=curlew")
    }
  }

  @Test func `newest stream of a session ends the one before`() async throws {
    try await withServer(NotesPage()) { visitor in
      let (first, session) = try await visitor.connect()
      let (second, _) = try await visitor.connect(session: session)
      try await visitor.act("write", "tern", in: session)

      #expect(try await second.state { $0.acknowledged == 1 }.url == "/notes?q=tern")
      while try await first.next() != nil {}
    }
  }

  @Test func `connection of an ended stream is used again`() async throws {
    try await withServer(NotesPage()) { visitor in
      let wire = try await visitor.wire(
        "GET /notes/live HTTP/1.1\r\nHost: localhost\r\nLive-Tab: \(tab)\r\n\r\n")
      let hello = try await wire.read(until: "hello\ndata: ")
      let rest = hello.contains(#/data: [0-9a-f]{32}/#) ? "" : try await wire.read(until: "\n\n")
      let session = try #require((hello + rest).firstMatch(of: #/data: ([0-9a-f]{32})/#)).1
      let newer = try await visitor.listen(session: String(session))
      _ = try await newer.hello()
      _ = try await wire.read(until: "0\r\n\r\n")
      try await wire.send("GET /notes HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try await wire.read(until: "</html>").contains("HTTP/1.1 200 OK"))
      wire.close()
    }
  }

  @Test func `a silent stream shows that it is alive`() async throws {
    let clock = TestClock()
    try await withServer(NotesPage(), clock: clock) { visitor in
      let (stream, session) = try await visitor.connect()
      _ = try await stream.state()
      await clock.pass(.seconds(14))
      // An earlier write would arrive before this write.
      try await visitor.act("write", "", in: session)
      #expect(try await stream.next()?.name == "state")
      await clock.pass(.seconds(20))

      #expect(try await stream.next()?.name == "comment")
    }
  }

  @Test func `streams end in order when the server does`() async throws {
    let reading = try await withServer(NotesPage()) { visitor in
      let (opened, isOpen) = AsyncStream<Never>.makeStream()
      let reading = Task {
        let (stream, _) = try await visitor.connect()
        _ = try await stream.state()
        isOpen.finish()
        var last: EventStream.Event?
        while let event = try await stream.next() { last = event }
        #expect(last?.name == "bye", "the tab is told to move on")
      }
      for await _ in opened {}
      return reading
    }
    // This would throw if the connection had been cut off.
    try await reading.value
  }

  @Test func `a slow reader gets the newest state`() async throws {
    let renderings = Mutex(0)
    var page = try NotesPage()
    page.willRender = { renderings.withLock { $0 += 1 } }
    let routes = LiveRoutes(
      page, limits: LiveLimits(), clock: ContinuousClock(), key: .random(), writes: PendingWork()
    ) { $0.content }
    let session = try #require(
      routes.sessions.start(for: [:], by: Admission(Anyone()), client: nil))
    let stream = LiveStream(routes, session)
    let slow = SlowWriter()
    let writing = Task {
      var writer: any ResponseBodyWriter = slow
      try await stream.write(to: &writer)
    }
    await slow.gate.waitForArrival()
    for number in 1...200 { session.runner.send(.write("text \(number)")) }
    slow.gate.open()
    await eventually { slow.written.contains { $0.contains("text 200") } }
    writing.cancel()
    _ = await writing.result

    #expect(slow.written.first?.hasPrefix(":\nevent: hello") == true)
    #expect(slow.written.count == 2, "\(slow.written)")
    #expect(renderings.withLock { $0 } == 1)
  }
}

/// A writer that blocks until its gate is opened.
private final class SlowWriter: ResponseBodyWriter, Sendable {
  let gate = Gate()
  private let texts = Mutex<[String]>([])

  var written: [String] { texts.withLock { $0 } }

  func write(_ buffer: ByteBuffer) async throws {
    texts.withLock { $0.append(String(buffer: buffer)) }
    await gate.wait()
  }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
