import CurlewScreens
import CurlewTesting
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

@testable import CurlewLive

/// What a screen does that nobody looks at: nothing.
@Suite(.timeLimit(.minutes(1)))
struct RestTests {
  /// Looks texts up without end, and says when that begins and when it is cancelled.
  private final class Lookups: Sendable {
    enum Change {
      case begun, cancelled
    }

    private let changes = AsyncStream<Change>.makeStream()

    func page() throws -> NotesPage {
      try NotesPage(
        Notes { [changes] text in
          changes.continuation.yield(.begun)
          for await _ in AsyncStream<Never>(unfolding: { await Self.never() }) {}
          changes.continuation.yield(.cancelled)
          return text
        })
    }

    /// Returns when its task is cancelled.
    private static func never() async -> Never? {
      let (stream, continuation) = AsyncStream<Never>.makeStream()
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
      return nil
    }

    func next() async -> Change? { await changes.stream.first { _ in true } }
  }

  @Test func loadRestsUntilItsBrowserIsBack() async throws {
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

  @Test func eventsOfATabThatHasLeftStartNothing() async throws {
    let lookups = Lookups()
    try await withServer(lookups.page()) { visitor in
      let session = try await visitor.draw()
      #expect(try await visitor.act("write", "tern", in: session, number: 1) == 204)
      #expect(try await visitor.act("look", in: session, number: 2) == 204)
      let stream = try await visitor.listen(session: session)
      #expect(try await stream.state { $0.acknowledged == 2 }.html.contains("tern"))
      // The first, and not the second, since nobody was connected.
      #expect(await lookups.next() == .begun)
    }
  }

  @Test func pageThatIsNotLoadedAgainInTimeRests() async throws {
    let (lookups, clock) = (Lookups(), TestClock())
    try await site(lookups.page(), clock: clock).test(.router) { client in
      async let response = client.execute(uri: "/notes?q=curlew", method: .get)
      #expect(await lookups.next() == .begun)
      // The time limit of the document, and the sweeper of the sessions.
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(4))
      let document = try await response
      #expect(document.text.contains("<hr>"))
      // Told to come again after 2 seconds, it is expected for 5 more.
      for _ in 1...3 {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(4))
      }
      #expect(await lookups.next() == .cancelled)
    }
  }
}
