import CurlewLive
import CurlewTesting
import Foundation
import Hummingbird
import Synchronization
import TestSupport
import Testing

/// Streams and kept data of visitors.
@Suite(.timeLimit(.minutes(1)))
struct VisitorStreamTests {
  private static let secret = "0123456789abcdef0123456789abcdef"

  private func withDiary<Value: Sendable>(
    _ members: Members, _ visitors: LiveVisitors<Member, BasicRequestContext>? = nil,
    clock: any Clock<Duration> = ContinuousClock(), key: SigningKey = .random(),
    _ body: @Sendable (Visitor) async throws -> Value
  ) async throws -> Value {
    try await withServer(
      DiaryPage(), visitors: visitors ?? members.visitors(), clock: clock, key: key, body)
  }

  private func connect(
    _ visitor: Visitor, as member: String, session: String? = nil, build: String? = nil,
    kept: String? = nil
  ) async throws -> (stream: EventStream, session: String) {
    var fields = cookie(member)
    if let build { fields.append(("Live-Build", build)) }
    if let kept { fields.append(("Live-Kept", kept)) }
    return try await visitor.connect(session: session, path: "/diary", fields: fields)
  }

  @Test func `a stream of another visitors session shows nothing of it`() async throws {
    try await withDiary(Members("ada", "bo")) { visitor in
      let (stream, session) = try await connect(visitor, as: "ada")
      try await visitor.act("write", "secret", in: session, path: "/diary", fields: cookie("ada"))
      _ = try await stream.state { $0.acknowledged == 1 }
      let (theirs, other) = try await connect(visitor, as: "bo", session: session)
      #expect(other != session)
      #expect(try await !theirs.state().html.contains("secret"))
    }
  }

  @Test func `a document of another visitor is loaded again`() async throws {
    try await withDiary(Members("ada", "bo")) { visitor in
      func build(of member: String) async throws -> String {
        let page = try await visitor.document("/diary", cookie(member))
        return try String(#require(page.firstMatch(of: /data-live-build="([^"]+)"/)).1)
      }
      let (ada, bo) = (try await build(of: "ada"), try await build(of: "bo"))
      let end = String(ada.drop { $0 != "." })
      #expect(end.count == 17 && !ada.contains("ada"))
      #expect(ada.dropLast(17) == bo.dropLast(17), "it is the same version")
      for (sent, member, name) in [
        (ada, "ada", "hello"), (ada, "bo", "reload"), (bo, "bo", "hello"),
        (end, "ada", "hello"), (end, "bo", "reload"), ("", "ada", "reload"),
      ] {
        let stream = try await visitor.listen(
          path: "/diary", fields: cookie(member) + [("Live-Build", sent)])
        #expect(try await stream.next()?.name == name)
      }
    }
  }

  @Test func `a saved state is its visitors and expires`() async throws {
    var key = try SigningKey(secret: Self.secret)
    let kept = try await withDiary(Members("ada"), key: key) { visitor in
      let (stream, session) = try await connect(visitor, as: "ada")
      try await visitor.act("write", "tern", in: session, path: "/diary", fields: cookie("ada"))
      return try await stream.state { $0.acknowledged == 1 }.kept
    }
    let now = Date.now
    for (member, hours, title) in [
      ("ada", 0.0, "tern"), ("bo", 0, "Notes"), ("ada", 23, "tern"), ("ada", 26, "Notes"),
    ] {
      key.date = { now + hours * 3_600 }
      try await withDiary(Members("ada", "bo"), key: key) { visitor in
        let (stream, _) = try await connect(visitor, as: member, kept: kept)
        #expect(try await stream.state().title == title)
      }
    }
    let end = try #require(kept.split(separator: ".").last.flatMap { Int($0) })
    let later = kept.replacing(".\(end)", with: ".\(end + 1)")
    try await withDiary(Members("ada"), key: key) { visitor in
      let (stream, _) = try await connect(visitor, as: "ada", kept: later)
      #expect(try await stream.state().title == "Notes", "its end is signed, too")
    }
  }

  @Test func `a running stream asks again`() async throws {
    let (members, clock) = (Members("ada", "bo"), TestClock())
    try await withDiary(members, clock: clock) { visitor in
      let (ada, _) = try await connect(visitor, as: "ada")
      let (bo, session) = try await connect(visitor, as: "bo")
      _ = try await (ada.state(), bo.state())
      members["ada"] = nil
      await clock.pass(.seconds(59))
      #expect(clock.sleepers == 1)
      await clock.pass(.seconds(2))
      while let event = try await ada.next() { #expect(event.name == "comment") }
      try await visitor.act("write", "a", in: session, path: "/diary", fields: cookie("bo"))
      _ = try await bo.state { $0.acknowledged == 1 }
    }
  }

  @Test func `a sign out ends all streams and sessions of its visitor`() async throws {
    let members = Members("ada", "bo")
    let visitors = members.visitors()
    try await withDiary(members, visitors) { visitor in
      var streams: [EventStream] = []
      var sessions: [String] = []
      for _ in 1...3 {
        let (stream, session) = try await connect(visitor, as: "ada")
        _ = try await stream.state()
        (streams, sessions) = (streams + [stream], sessions + [session])
      }
      let (bo, own) = try await connect(visitor, as: "bo")
      _ = try await bo.state()
      visitors.end(sessionsOf: Member(name: "ada", mayWrite: false))
      for stream in streams {
        #expect(try await stream.next()?.name == "out")
        #expect(try await stream.next() == nil)
      }
      for session in sessions {
        #expect(
          try await visitor.act("look", in: session, path: "/diary", fields: cookie("ada")) == 404)
      }
      try await visitor.act("write", "a", in: own, path: "/diary", fields: cookie("bo"))
      _ = try await bo.state { $0.acknowledged == 1 }
    }
  }

  /// Sends the head of a request and half of its body, and returns the connection once the server knows its visitor, or
  /// waits for the rest.
  private func begin(
    _ head: String, _ body: String, at visitor: Visitor
  ) async throws -> (wire: Wire, rest: String) {
    let wire = try await visitor.wire(
      "POST \(head)\r\nHost: localhost:\(visitor.port)\r\nOrigin: \(visitor.origin)\r\n"
        + "Cookie: member=ada\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(9))")
    // Another request, in the same time.
    _ = try await visitor.document("/diary", cookie("ada"))
    return (wire, String(body.dropFirst(9)))
  }

  @Test func `an action that arrives slowly ends with the sign in`() async throws {
    let (members, asked) = (Members("ada"), Gate())
    let visitors = members.visitors { _ in asked.open() }
    try await withDiary(members, visitors) { visitor in
      let (stream, session) = try await connect(visitor, as: "ada")
      let (wire, rest) = try await begin(
        "/diary/events HTTP/1.1\r\nLive-Tab: \(tab)\r\nLive-Session: \(session)",
        String(buffer: message("write", "late")), at: visitor)
      visitors.end(sessionsOf: Member(name: "ada"))
      try await wire.send(rest)
      #expect(try await wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
      while let event = try await stream.next() { #expect(event.name != "late") }
    }
  }

  @Test func `a form that arrives slowly ends with the sign in`() async throws {
    let members = Members("ada")
    try await withDiary(members) { visitor in
      let (wire, rest) = try await begin(
        "/diary HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded",
        "live%3Asubmit=look", at: visitor)
      members["ada"] = nil
      try await wire.send(rest)
      #expect(try await wire.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 303 "))
    }
  }

  @Test func `a poll ends with the sign in`() async throws {
    let (members, begun, done) = (Members("ada"), Gate(), Gate())
    let visitors = members.visitors()
    var page = try DiaryPage()
    page.lookUp = {
      begun.open()
      await done.wait()
      return $0
    }
    try await withServer(page, visitors: visitors) { visitor in
      let (_, session) = try await connect(visitor, as: "ada")
      let fields = cookie("ada")
      let looked = try await visitor.ask(
        "look", number: 1, shown: 0, in: session, path: "/diary", fields: fields)
      let version = try #require(looked.update?.version)
      await begun.wait()
      async let answer = visitor.ask(
        "live:wait", number: 1, shown: version, in: session, path: "/diary", fields: fields)
      // Another poll, in the same time.
      _ = try await visitor.document("/diary", cookie("ada"))
      visitors.end(sessionsOf: Member(name: "ada"))
      done.open()
      #expect(try await answer.status == 404)
    }
  }

  @Test func `a visitor whose sign in is looked up for long keeps none other waiting`() async throws
  {
    let (members, clock, done) = (Members("ada", "bo"), TestClock(), Gate())
    let isSlow = Mutex(false)
    let visitors = members.visitors { cookie in
      if cookie == "bo", isSlow.withLock({ $0 }) { await done.wait() }
    }
    try await withDiary(members, visitors, clock: clock) { visitor in
      var others: [EventStream] = []
      for _ in 1...5 { others.append(try await connect(visitor, as: "bo").stream) }
      let (ada, _) = try await connect(visitor, as: "ada")
      _ = try await ada.state()
      isSlow.withLock { $0 = true }
      members["ada"] = nil
      await clock.pass(.seconds(61))
      while let event = try await ada.next() { #expect(event.name == "comment") }
      done.open()
      for other in others { #expect(try await other.next() != nil) }
    }
  }

  @Test func `a sign out of nobody ends no guests session`() async throws {
    let members = Members(admitsGuests: true)
    let visitors = members.visitors()
    try await withDiary(members, visitors) { visitor in
      let (stream, session) = try await connect(visitor, as: "")
      _ = try await stream.state()
      visitors.end(sessionsOf: Member())
      try await visitor.act("write", "a", in: session, path: "/diary")
      _ = try await stream.state { $0.acknowledged == 1 }
    }
  }
}
