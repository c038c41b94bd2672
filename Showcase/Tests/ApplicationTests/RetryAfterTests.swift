import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

/// Every screen retries by itself after the delay in an error.
@Suite(.timeLimit(.minutes(1)))
struct RetryAfterTests {
  private struct Busy: RetryAfterError {
    let retryAfter: Duration? = .seconds(3)
  }

  private let host = HeldCodeHost()

  /// Fails the first load of a screen, waits, and returns the number of requests.
  private func play<Content: Screen, Question, Response>(
    _ screen: Content, _ name: String, _ events: [Content.Event],
    _ transfers: PendingResponses<Question, Response>
  ) -> Int {
    let probe = ScreenProbe(screen)
    for event in events { probe.send(event) }
    transfers.reply(.failure(Busy()))
    probe.settle()
    #expect(probe.activity.alerts.map { "\($0.name)" } == [name])
    #expect(probe.activity.alerts.map(\.secondsLeft) == [3])
    probe.advance(by: .seconds(2))
    #expect(transfers.requested.count == 1)
    probe.advance(by: .seconds(1))
    #expect(probe.activity.alerts.isEmpty)
    return transfers.requested.count
  }

  @Test func `issue tracker`() {
    let screen = IssueTracker(TrackIssues(host: host))
    let events: [IssueTracker.Event] = [.search(.term("a/b")), .search(.submit())]
    #expect(play(screen, "search.search", events, host.named) == 2)
  }

  @Test func `repositories`() {
    let screen = Repositories(host: host)
    let events: [Repositories.Event] = [.search(.term("go")), .search(.submit())]
    #expect(play(screen, "search.search", events, host.listed) == 2)
  }

  @Test func `repository detail`() throws {
    let name = try #require(RepositoryName("a/b"))
    let screen = RepositoryDetail(host: host)
    #expect(play(screen, "detail.detail", [.detail(.show(name))], host.named) == 2)
  }

  @Test func `movies`() {
    let catalogue = HeldCatalogue()
    #expect(play(Movies(catalogue: catalogue), "feed.feed", [.feed(.load)], catalogue.pages) == 2)
  }

  @Test func `top movies`() {
    let store = HeldStore()
    #expect(play(TopMovies(store: store), "feed.feed", [.feed(.load)], store.lists) == 2)
  }
}
