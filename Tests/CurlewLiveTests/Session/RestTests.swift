import CurlewLive
import CurlewScreens
import CurlewTesting
import HTTPTypes
import HummingbirdTesting
import Synchronization
import TestSupport
import Testing

/// Screens without a connected browser do no work.
@Suite(.timeLimit(.minutes(1)))
struct RestTests {
  @Test func `load rests until its browser is back`() async throws {
    let lookups = Lookups()
    try await withServer(lookups.page()) { visitor in
      let session: String
      do {
        let stream = try await visitor.listen(address: "/notes?q=curlew")
        session = try await stream.hello()
        #expect(await lookups.next() == .begun)
      }
      #expect(await lookups.next() == .cancelled)
      let stream = try await visitor.listen(session: session)
      #expect(try await stream.hello() == session)
      #expect(await lookups.next() == .begun)
    }
  }

  @Test func `events of a tab that has left start nothing`() async throws {
    let lookups = Lookups()
    try await withServer(lookups.page()) { visitor in
      let session = try await visitor.draw()
      #expect(try await visitor.act("write", "tern", in: session, number: 1) == 204)
      #expect(try await visitor.act("look", in: session, number: 2) == 204)
      let stream = try await visitor.listen(session: session)
      #expect(try await stream.state { $0.acknowledged == 2 }.html.contains("tern"))
      // Only the first event starts a lookup, since no browser was connected for the second.
      #expect(await lookups.next() == .begun)
    }
  }

  @Test func `page that is not loaded again in time rests`() async throws {
    let (lookups, clock) = (Lookups(), TestClock())
    try await site(lookups.page(), clock: clock).test(.router) { client in
      async let response = client.execute(uri: "/notes?q=curlew", method: .get)
      #expect(await lookups.next() == .begun)
      // The document's time limit and the session sweeper.
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(4))
      let document = try await response
      #expect(document.text.contains("<hr>"))
      // The browser is told to reload after 2 seconds; the server allows 5 more.
      for _ in 1...3 {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(4))
      }
      #expect(await lookups.next() == .cancelled)
    }
  }

  @Test func `abandoned tabs leave a rate limit to the open one`() async throws {
    let clock = TestClock()
    let limited = Limited(clock: clock)
    try await withServer(NotesPage(Notes(lookUp: limited.lookUp)), clock: clock) { visitor in
      for number in 1...10 {
        let stream = try await visitor.listen(address: "/notes?q=\(number)")
        _ = try await stream.hello()
        await eventually { limited.asked == number }
      }
      // Eight lookups wait for the next minute, until the server notices the disconnects.
      await eventually { clock.sleepers == 1 }
      clock.advance(by: .seconds(60))
      await clock.waitForSleepers()
      let stream = try await visitor.listen(address: "/notes?q=11")
      #expect(try await stream.state { !$0.html.contains("<hr>") }.html.contains("about 11"))
      #expect(limited.asked == 11)
    }
  }

  /// Looks up two texts a minute; further lookups wait for the next minute and try again.
  private final class Limited: Sendable {
    private let state = Mutex((asked: 0, left: 2, minute: 0))
    private let clock: TestClock
    private let start: TestClock.Instant

    init(clock: TestClock) {
      (self.clock, start) = (clock, clock.now)
    }

    /// The number of attempts, including retries.
    var asked: Int { state.withLock { $0.asked } }

    @Sendable func lookUp(_ text: String) async -> String {
      while !Task.isCancelled, !ask() { try? await clock.sleep(for: .seconds(60)) }
      return "about \(text)"
    }

    private func ask() -> Bool {
      let minute = Int(start.duration(to: clock.now) / .seconds(60))
      return state.withLock { state in
        if minute != state.minute { (state.left, state.minute) = (2, minute) }
        state.asked += 1
        state.left -= 1
        return state.left >= 0
      }
    }
  }
}
