import Application
import CurlewLiveTesting
import CurlewTesting
import Domain
import Sandbox
import ShowcaseTestSupport
import Testing

@testable import showcase

/// An exceeded rate limit, and the automatic retry of a page.
@Suite(.timeLimit(.minutes(1)))
struct RateLimitPageTests {
  private let servers = HeldServers()
  private let alert = "#failure [role=alert]"

  @Test func `issues come by themselves when the wait is over`() throws {
    let cups = try #require(RepositoryName("apple/cups"))
    let swift = try #require(RepositoryName("apple/swift"))
    let page = DrawnPage(
      IssuesPage(IssueTracker(TrackIssues(host: servers))), at: "/issues?q=apple/cups")
    page.reply(Repository(name: cups), to: servers.found)
    page.reply(Listing([3, 2, 1], of: cups), to: servers.issues)
    #expect(page.elements.count("#issues .row") == 3)
    page.act("term", "apple/swift")
    page.probe.advance(by: .milliseconds(500))
    page.fail(servers.found, with: Busy(retryAfter: .seconds(8)))
    #expect(page.elements.has("#failure.toast #countdown"))
    #expect(page.elements.text("#failure h2") == "The issues could not be loaded")
    #expect(page.elements.count("#issues.is-old .row") == 3, "the last issues stay")
    #expect(page.status == "The issues could not be loaded. Still showing apple/cups.")
    #expect(page.elements.attribute("aria-live", of: "#status") == "off", "the alert says it")

    // Screen readers would announce each change inside an alert.
    let words = page.elements.text(alert)
    #expect(words?.contains("It retries by itself in 8 seconds.") == true)
    for second in (1...8).reversed() {
      #expect(page.elements.text("#countdown strong") == "\(second) s")
      #expect(page.elements.text(alert) == words)
      #expect(servers.found.requested == ["apple/cups", "apple/swift"])
      page.probe.advance(by: .seconds(1))
    }
    page.reply(Repository(name: swift), to: servers.found)
    page.reply(Listing([5, 4], of: swift), to: servers.issues)
    #expect(!page.elements.has("#failure"))
    #expect(page.elements.texts("#issues:not(.is-old) .number") == ["#5", "#4"])
    #expect(servers.found.requested == ["apple/cups", "apple/swift", "apple/swift"])
    page.probe.advance(by: .seconds(20))
    #expect(servers.found.waiting == [], "and once only")
  }

  @Test func `repositories come by themselves too`() {
    let page = DrawnPage(
      RepositoriesPage(Repositories(host: servers)), at: "/repositories?language=go")
    page.fail(servers.lists, with: Busy(retryAfter: .seconds(4)))
    #expect(page.elements.has("#failure.notice #countdown"))
    #expect(page.status == "The repositories could not be loaded.")
    #expect(page.elements.has("#failure a"), "users may retry without waiting")
    page.probe.advance(by: .seconds(4))
    page.reply(Listing(1...2), to: servers.lists)
    #expect(page.elements.count("#list .name") == 2)
    #expect(!page.elements.has("#failure"))
    #expect(servers.lists.requested == ["go 1", "go 1"], "and nothing between")
  }

  @Test func `a wait that is put away ends`() {
    let page = DrawnPage(
      RepositoriesPage(Repositories(host: servers)), at: "/repositories?language=go")
    page.fail(servers.lists, with: Busy(retryAfter: .seconds(4)))
    page.click("#failure button")
    #expect(page.elements.has("#unloaded"))
    #expect(!page.elements.has("#countdown"))
    page.probe.advance(by: .seconds(20))
    #expect(servers.lists.requested == ["go 1"])
  }

  /// A repository and its issues take two requests.
  @Test(.served(sandbox: .init { ($0.rateLimit, $0.rateWindow) = (2, .seconds(50)) }))
  func `a server that said that nothing is left is not asked`() async throws {
    #expect(try await served.open("/issues?q=apple/cups").has("#issues .row"))
    let page = try await served.open("/issues?q=apple/swift")
    #expect(served.requests.count == 2)
    #expect(page.has("#countdown"))
    #expect(page.text("#failure h2") == "The issues could not be loaded")
    #expect(page.text(alert)?.contains("request limit") == true)
  }

  private func isSearch(_ path: String) -> Bool { path.hasPrefix("/search/") }

  @Test(.served(sandbox: .init { ($0.searchRateLimit, $0.rateWindow) = (0, .seconds(50)) }))
  func `trying again earlier is told to wait on`() async throws {
    let page = try await served.open("/repositories?language=go")
    #expect(page.has("#countdown"))
    #expect(page.text(alert)?.contains("Too many requests") == true)
    let again = try await page.follow("#failure a")
    #expect(again.text(alert)?.contains("request limit") == true, "it is said in other words")
    #expect(served.requests.count(where: isSearch) == 1, "the server is left alone")
    let left = try #require(again.text("#countdown strong")?.wholeMatch(of: /(\d+) s/))
    #expect(try #require(Int(left.1)) <= 50)
  }

  @Test(.served(sandbox: .init { ($0.searchRateLimit, $0.rateWindow) = (0, .seconds(3)) }))
  func `without JavaScript the page comes again`() async throws {
    let page = try await served.open("/repositories?language=go")
    let left = try #require(page.reload)
    #expect((1...3).contains(left))
    #expect(page.text("#countdown") == "Retrying in \(left) s.")
    served.sandbox.update { $0.searchRateLimit = 30 }
    try await eventually("the rows are there") { try await page.again().has("#list .name") }
    let searches = served.sandbox.requests.filter { isSearch($0.path) }
    #expect(searches.map(\.status) == [403, 200], "and nothing between")
  }
}
