import CurlewLive
import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SessionTests {
  private func limits(_ sessions: Int) -> LiveLimits {
    var limits = LiveLimits()
    limits.sessions = sessions
    return limits
  }

  @Test func `sessions in use are not replaced`() async throws {
    try await withServer(NotesPage(), limits: limits(2)) { visitor in
      let first = try await visitor.listen()
      let session = try await first.hello()
      let second = try await visitor.listen()
      // The session counts as in use only after the hello; the response's head comes before it.
      _ = try await second.hello()
      #expect(try await visitor.listen().status == 503)
      #expect(try await visitor.act("write", "still here", in: session) == 204)
    }
  }

  @Test func `write of a session that made room is still awaited`() async throws {
    let (gate, writes) = (Gate(), PendingWork())
    let page = LettersPage(screen: Letters { _ in await gate.wait() })
    try await withServer(page, limits: limits(1), writes: writes) { visitor in
      let session = try await visitor.open("/letters?text=curlew").session
      #expect(try await visitor.act("send", in: session, path: "/letters") == 204)
      await gate.waitForArrival()
      _ = try await visitor.open("/letters")
      let status = try await visitor.act("send", in: session, number: 2, path: "/letters")
      #expect(status == 404, "it has made room")
      #expect(writes.count == 1)
    }
    gate.open()
    await writes.finished()
    #expect(writes.count == 0)
  }

  @Test func `a reader that leaves makes room`() async throws {
    // The clock stands still, so no failing heartbeat reveals the disconnect.
    try await withServer(NotesPage(), limits: limits(1), clock: TestClock()) { visitor in
      do {
        let stream = try await visitor.listen()
        _ = try await stream.hello()
        #expect(try await visitor.listen().status == 503)
      }
      // The stream and its connection are closed; the server notices a little later. The suite's time limit bounds this
      // loop.
      while try await visitor.listen().status != 200 { try Task.checkCancellation() }
    }
  }

  @Test func `client that has ended its side has no stream`() async throws {
    try await withServer(NotesPage(), limits: limits(1), clock: TestClock()) { visitor in
      let wire = try await visitor.wire(
        "GET /notes/live HTTP/1.1\r\nHost: localhost\r\nLive-Tab: \(tab)\r\n\r\n")
      try await wire.endSending()
      _ = try await wire.read()
      while try await visitor.listen().status != 200 { try Task.checkCancellation() }
    }
  }

  @Test func `a page that no script asks about is forgotten soon`() async throws {
    let clock = TestClock()
    try await withServer(NotesPage(), clock: clock) { visitor in
      let other = try await visitor.listen()
      _ = try await other.hello()
      let (unused, used) = (try await visitor.draw(), try await visitor.draw())
      await clock.pass(.seconds(15))
      #expect(try await visitor.act("write", "a", in: used) == 204)
      await clock.pass(.seconds(5))

      #expect(try await visitor.act("write", "a", in: unused) == 404)
      #expect(try await visitor.act("write", "a", in: used) == 204)
    }
  }

  @Test func `a session is kept while its browser is away`() async throws {
    let (lookups, clock) = (Lookups(), TestClock())
    try await withServer(lookups.page(), clock: clock) { visitor in
      let other = try await visitor.listen()
      let inUse = try await other.hello()
      let session: String
      do {
        let stream = try await visitor.listen(address: "/notes?q=curlew")
        session = try await stream.hello()
        #expect(await lookups.next() == .begun)
      }
      // The stream is closed, and the server has noticed.
      #expect(await lookups.next() == .cancelled)
      await clock.pass(.seconds(115))
      #expect(try await visitor.act("write", "a", in: session) == 204)
      // The action was a use, so the idle time starts again.
      await clock.pass(.seconds(115))
      #expect(try await visitor.act("write", "a", in: session) == 204)
      await clock.pass(.seconds(120))

      #expect(try await visitor.act("write", "a", in: session) == 404)
      #expect(try await visitor.act("write", "a", in: inUse) == 204)
    }
  }
}

extension TestClock {
  /// Advances time in the sweeper's steps: each ends when the sweeper sleeps again.
  func pass(_ duration: Duration) async {
    for _ in 0..<duration.components.seconds {
      await waitForSleepers()
      advance(by: .seconds(1))
    }
    await waitForSleepers()
  }
}
