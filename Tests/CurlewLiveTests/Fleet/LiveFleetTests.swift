import CurlewFleet
import CurlewLive
import CurlewScreens
import CurlewSupport
import CurlewTesting
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// Servers without stickiness: sessions belong to one of them, the others forward.
@Suite(.timeLimit(.minutes(1)))
struct LiveFleetTests {
  @Test func `Other servers forward actions and streams`() async throws {
    try await LiveServers.run(3, { _ in try NotesPage() }) { servers in
      let (session, shown) = try await servers[0].open("/notes")
      let (stream, streamed) = try await servers[1].connect(session: session, shown: shown)
      #expect(streamed == session && !stream.isNew)
      #expect(try await servers[2].act("write", "tern", in: session) == 204)
      #expect(try await stream.state { $0.acknowledged == 1 }.html.contains("tern"))
      // Sent again, it is applied once; and the first server has the session itself.
      #expect(try await servers[1].act("write", "owl", in: session) == 204)
      #expect(try await servers[0].act("write", "wren", in: session, number: 2) == 204)
      #expect(try await stream.state { $0.acknowledged == 2 }.html.contains("wren"))
    }
  }

  @Test func `The owner checks the origin of a forwarded action`() async throws {
    try await LiveServers.run(2, { _ in try NotesPage() }) { servers in
      let (session, _) = try await servers[0].open("/notes")
      let fields = [("Origin", "https://evil.example")]
      #expect(
        try await servers[1].act("write", "x", in: session, fields: fields) == 403)
    }
  }

  @Test func `A session of a server that has shut down starts anew`() async throws {
    try await LiveServers.run(
      2,
      { _ in
        var page = try NotesPage()
        page.keepsText = true
        return page
      }
    ) { servers in
      let (session, shown) = try await servers[0].open("/notes")
      let (stream, _) = try await servers[1].connect(session: session, shown: shown)
      #expect(try await servers[1].act("write", "tern", in: session) == 204)
      let kept = try await stream.state { $0.acknowledged == 1 }.kept
      await servers.servers[0].shutDown()
      // The other server ends its part of the stream with it.
      while try await stream.next() != nil {}
      #expect(
        try await servers[1].act("write", "owl", in: session, number: 2) == 404)
      let (next, new) = try await servers[1].connect(
        session: session, shown: shown, fields: [("Live-Kept", kept)])
      #expect(new != session && next.isNew)
      #expect(try await next.state().html.contains("tern"))
    }
  }

  @Test func `Only a forwarded request's own server accepts it once signed`() async throws {
    let key = try SigningKey(secret: "0123456789abcdef0123456789abcdef")
    let forwarded = try await CapturingServer()
    try await LiveServers.run(
      3, { _ in try NotesPage() }, addresses: [0: "127.0.0.1:\(forwarded.port)"], key: key
    ) { servers in
      let (session, _) = try await servers[0].open("/notes")
      async let status = servers[1].act("write", "tern", in: session)
      let request = try await forwarded.request()
      #expect(try await status == 502, "The captured server closes the connection")
      func send(_ request: String, to server: Int = 0) async throws -> String {
        let response = try await servers[server].wire(request).read(until: "\r\n\r\n")
        return String(response.dropFirst("HTTP/1.1 ".count).prefix(3))
      }
      #expect(request.contains("Live-Forwarded: "))
      #expect(try await send(request) == "204")
      #expect(try await send(request, to: 2) == "421")
      for (old, new) in [
        ("tern", "fern"), ("Origin: http", "Origin: https"),
        ("Live-Forwarded: 1", "Live-Forwarded: 2"),
        ("Live-Forwarded: ", "Live-Forwarded: \(Int.min).\r\nX-Old: "),
        ("Live-Tab: 7", "Live-Tab: 8"),
        ("Accept-Encoding: ", "Accept-Encoding: br, "),
        ("POST", "PUT"),
      ] {
        try #require(request.contains(old), "\(request)")
        #expect(try await send(request.replacing(old, with: new)) != "204", "\(new)")
      }
    }
  }

  @Test func `A sign-out ends the sessions at all servers`() async throws {
    let members = Members("ada", "bo")
    let visitors = [members.visitors(), members.visitors()]
    try await LiveServers.run(2, { _ in try DiaryPage() }, visitors: { visitors[$0] }) { servers in
      func connect(_ server: Int, _ member: String) async throws -> EventStream {
        try await servers[server].connect(path: "/diary", fields: cookie(member)).stream
      }
      let (here, there) = (try await connect(0, "ada"), try await connect(1, "ada"))
      let other = try await connect(1, "bo")
      members["ada"] = nil
      visitors[0].end(sessionsOf: Member(name: "ada"))
      for stream in [here, there] {
        var last: String?
        while let event = try await stream.next() { last = event.name }
        #expect(last == "out")
      }
      members["bo"] = nil
      visitors[1].end(sessionsOf: Member(name: "bo"))
      while try await other.next()?.name != "out" {}
    }
  }

  @Test func `Users who sign out while another sign-out is announced are announced, too`()
    async throws
  {
    let values = HeldValues()
    let members = Members("ada", "bo")
    let visitors = members.visitors()
    let router = Router()
    try router.add(
      DiaryPage(), visitors: visitors, key: .random(), fleet: LiveFleet(values, at: "a:1")
    ) { HTML(trusted: $0.content.text) }
    visitors.end(sessionsOf: Member(name: "ada"))
    await eventually { values.keys.withLock { $0.count == 1 } }
    visitors.end(sessionsOf: Member(name: "bo"))
    values.release()
    await eventually { values.keys.withLock { $0.count == 2 } }
  }

  @Test(arguments: [
    "", "http://10.0.0.1:8080", "10.0.0.1", ":80", "a:0", "a:65536", "::1:80", "[]:80", "a:80/",
  ])
  func `An address of another form is an error`(_ address: String) throws {
    #expect(throws: LiveFleet.WrongAddress.self) { try LiveFleet(Fleet(), at: address) }
    for right in ["10.0.0.1:8080", "[::1]:80", "a_b-c.example:1"] {
      _ = try LiveFleet(Fleet(), at: right)
    }
  }

  @Test func `A fleet without a key stops`() async {
    await #expect(processExitsWith: .failure) {
      try Router().add(NotesPage(), visitors: anyone(), fleet: LiveFleet(Fleet(), at: "a:1")) {
        HTML(trusted: $0.content.text)
      }
    }
  }

  @Test func `A server that can't own a shared screen accepts no forwarded request`() async throws {
    let other = try await CapturingServer()
    let (key, clock) = (SigningKey.random(), HastyClock())
    /// Returns a server's page; the screen's owner is the other server, or none.
    func application(_ values: ForeignValues) throws -> some ApplicationProtocol {
      let router = Router()
      let fleet = try LiveFleet(values, at: "127.0.0.1:1", clock: clock)
      router.add(TallyPage(), visitors: anyone(), key: key, fleet: fleet) {
        HTML(trusted: $0.content.text)
      }
      return Application(router: router)
    }
    let request = try await application(
      ForeignValues(server: "one", owner: "two", address: "127.0.0.1:\(other.port)")
    ).test(.live) { client in
      let visitor = Visitor(origin: "http://127.0.0.1:\(try #require(client.port))")
      async let status = visitor.act("add", "1", in: "none", path: "/tally")
      let request = try await other.request()
      #expect(try await status == 502)
      return request
    }
    try await application(ForeignValues(server: "two")).test(.live) { client in
      let visitor = Visitor(origin: "http://127.0.0.1:\(try #require(client.port))")
      let response = try await visitor.wire(request).read(until: "\r\n\r\n")
      #expect(response.hasPrefix("HTTP/1.1 421 "))
    }
  }

  @Test func `A shared screen is one at all servers and outlives its own`() async throws {
    try await LiveServers.run(3, { _ in TallyPage() }) { servers in
      var streams: [EventStream] = []
      var sessions: [String] = []
      for (index, server) in servers.servers.enumerated() {
        let (stream, session) = try await server.visitor.connect(
          path: "/tally", tab: String(repeating: "0\(index)", count: 8))
        streams.append(stream)
        sessions.append(session)
      }
      for (index, server) in servers.servers.enumerated() {
        let tab = String(repeating: "0\(index)", count: 8)
        try await server.visitor.act("add", "1", in: sessions[index], path: "/tally", tab: tab)
        for stream in streams {
          _ = try await stream.state { $0.title == "\(index + 1)" }
        }
      }
      #expect(try await servers[2].document("/tally").contains("<title>3</title>"))
      // The first server to be asked owns the screen.
      await servers.servers[0].shutDown()
      while try await streams[2].next() != nil {}
      #expect(try await servers[2].document("/tally").contains("<title>3</title>"))
      let (stream, session) = try await servers[1].connect(path: "/tally")
      try await servers[2].act("add", "4", in: session, path: "/tally")
      _ = try await stream.state { $0.title == "7" }
    }
  }

  @Test func `Apps with different signing keys share an engine, but no screen`() async throws {
    let engine = InProcessEngine()
    try await LiveServers.run(2, { _ in TallyPage() }, engine: engine) { first in
      try await LiveServers.run(2, { _ in TallyPage() }, engine: engine) { second in
        for (servers, number) in [(first, "1"), (second, "2")] {
          let (stream, session) = try await servers[0].connect(path: "/tally")
          try await servers[1].act("add", number, in: session, path: "/tally")
          _ = try await stream.state { $0.title == number }
        }
      }
    }
  }
}

/// A number that all visitors share.
private struct TallyPage: LivePage {
  struct Tally: Screen {
    enum Event: Sendable { case add(Int) }
    struct State: Equatable, Sendable { var sum = 0 }

    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .add(let number): state.sum += number
      }
    }
  }

  let path = "/tally"
  let isShared = true
  let screen = Tally()

  func events(for query: LiveQuery, in state: Tally.State) -> [Tally.Event] { [] }
  func event(for action: LiveAction) -> Tally.Event? { Int(action.value).map { .add($0) } }
  func address(of state: Tally.State) -> LiveAddress { LiveAddress() }
  func title(of state: Tally.State) -> String { "\(state.sum)" }
  func savedState(of state: Tally.State) -> String? { "\(state.sum)" }
  func events(restoring kept: String, in state: Tally.State) -> [Tally.Event] {
    Int(kept).map { [.add($0)] } ?? []
  }
  func render(_ state: Tally.State, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: "<p>\(state.sum)</p>")
  }
}

/// A clock whose sleeps end at once, with their time.
private final class HastyClock: Clock {
  typealias Instant = ContinuousClock.Instant
  private let time = Mutex(ContinuousClock.now)

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}

/// Values in which this server never gets a lease.
private struct ForeignValues: ServerValues {
  let server: String
  var owner: String?
  var address: String?

  func text(_ key: String) async -> String? {
    if key.hasPrefix("live/servers/") {
      address
    } else {
      key.hasPrefix("live/screens") ? owner : nil
    }
  }

  func set(
    _ key: String, _ text: String?, lease: (key: String, number: Int64)?, expires: Duration
  ) async -> Bool { true }
  func lease(_ key: String, for time: Duration) async -> (key: String, number: Int64)? { nil }
  func release(_ lease: (key: String, number: Int64)) async {}
  func news(of prefix: String) -> AsyncStream<(key: String, version: Int64)?> {
    AsyncStream { $0.finish() }
  }
}

/// Values whose first change of a key lasts until it is released.
private final class HeldValues: ServerValues {
  let server = "one"
  let keys = Mutex<Set<String>>([])
  private let gate = AsyncStream<Void>.makeStream()

  func release() { gate.continuation.finish() }

  func set(
    _ key: String, _ text: String?, lease: (key: String, number: Int64)?, expires: Duration
  ) async -> Bool {
    keys.withLock { _ = $0.insert(key) }
    for await _ in gate.stream {}
    return true
  }

  func text(_ key: String) async -> String? { nil }
  func lease(_ key: String, for time: Duration) async -> (key: String, number: Int64)? { nil }
  func release(_ lease: (key: String, number: Int64)) async {}
  func news(of prefix: String) -> AsyncStream<(key: String, version: Int64)?> {
    AsyncStream { $0.finish() }
  }
}
