import Application
import Curlew
import CurlewLive
import CurlewScreens
import CurlewTesting
import Domain
import HTTPTypes
import ShowcaseTestSupport
import Testing

@testable import showcase

/// Pages while their server's rate limit is exceeded.
@Suite(.timeLimit(.minutes(1)))
struct CountdownPageTests {
  private let stub = StubTransport()

  /// Returns the issues screen after a rate-limited request for `a/b`.
  private func refused(
    _ fields: HTTPFields, _ status: HTTPResponse.Status = .forbidden
  ) async -> ScreenProbe<IssueTracker> {
    stub.stub(.get, "/**", with: .status(status, fields))
    let client = Client(baseURL: "https://api.github.com") { $0.transport = stub }
    // The request is sent in advance, so that the screen gets the response on the test's executor.
    let result = await client.result(of: Request<Int>.get("/repos/a/b"))
    let host = TwoOfEach(error: result.failure)
    let probe = ScreenProbe(IssuesPage(IssueTracker(TrackIssues(host: host))).screen)
    probe.send(.search(.term("a/b")))
    probe.send(.search(.submit()))
    return probe
  }

  private func page() throws -> IssuesPage {
    IssuesPage(IssueTracker(TrackIssues(host: TwoOfEach())))
  }

  @Test func `the seconds are shown and count down`() async throws {
    let (probe, page) = (await refused([.retryAfter: "42"]), try page())
    let first = page.render(probe.state, probe.activity).text
    #expect(first.contains("<h2>The issues could not be loaded</h2>"))
    #expect(first.contains("<p>\(UserTexts.english.tooManyRequests)<"))
    #expect(first.contains("Retrying in <strong>42 s</strong>."))
    #expect(!first.contains("Try again in"), "a time that does not go by")
    probe.advance(by: .seconds(2))
    let second = page.render(probe.state, probe.activity).text
    #expect(second == first.replacing("<strong>42 s<", with: "<strong>40 s<"))
  }

  @Test func `only what stays is announced`() async throws {
    let probe = await refused([.retryAfter: "90"])
    let html = try page().render(probe.state, probe.activity).text
    let alert = try #require(html.firstMatch(of: /role="alert">(.*?)<\/div>/.dotMatchesNewlines()))
    #expect(alert.1.contains("It retries by itself in 90 seconds."))
    #expect(!alert.1.contains("1 min 30 s"))
    #expect(html.contains(/<p id="countdown"[^>]*role="timer" aria-live="off">/))
    #expect(!html.contains(/<section id="failure"[^>]*role=/))
    #expect(html.contains(/data-live-click="retry">Try again</), "which stays")
  }

  @Test func `an error without a time is as it was`() async throws {
    let (probe, page) = (await refused([:], .internalServerError), try page())
    let html = page.render(probe.state, probe.activity).text
    #expect(html.contains("<h2>The issues could not be loaded</h2>"))
    #expect(!html.contains("countdown"))
    #expect(!html.contains("by itself"))
  }

  @Test func `what is typed ends it`() async throws {
    let (probe, page) = (await refused([.retryAfter: "42"]), try page())
    probe.send(.search(.term("a/bc")))
    let html = page.render(probe.state, probe.activity).text
    #expect(html.contains("<h2>The issues could not be loaded</h2>"))
    #expect(!html.contains("countdown"))
  }

  // MARK: Times

  @Test(arguments: [
    (1, "1 s"), (59, "59 s"), (60, "1 min 0 s"), (302, "5 min 2 s"), (3_599, "59 min 59 s"),
    (3_600, "1 h 0 min"), (4_379, "1 h 12 min"), (86_400, "24 h 0 min"),
  ])
  func `seconds are shown in at most two units`(seconds: Int, text: String) {
    #expect(seconds.timeLeft == text)
  }

  @Test(
    arguments: [
      (.milliseconds(1), "1 second"), (.seconds(1), "1 second"), (.seconds(1.5), "2 seconds"),
      (.seconds(119), "119 seconds"), (.seconds(121), "about 3 minutes"),
      (.seconds(3_600), "about 60 minutes"), (.seconds(7_201), "about 3 hours"),
    ] as [(Duration, String)])
  func `durations are spoken rounded up`(duration: Duration, text: String) {
    #expect(duration.spoken == text)
  }
}
