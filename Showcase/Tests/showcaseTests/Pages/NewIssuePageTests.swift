import CurlewLiveTesting
import CurlewTesting
import Domain
import Sandbox
import ShowcaseTestSupport
import Testing
import showcase

/// The results of submitting the form for a new issue.
@Suite(.timeLimit(.minutes(1)))
struct NewIssuePageTests {
  @Test(.served(sandbox: .init { $0.failureRate = 1 }))
  func `a failure keeps what was written and can be sent again`() async throws {
    let form = try await served.open("/issues/new?repository=apple/cups")
    let failed = try await form.submit(["title": "Ink runs out", "body": "a\nb"], form: "#draft")
    #expect(failed.has("#failure"))
    #expect(failed.value("#repository") == "apple/cups")
    #expect(failed.value("#title") == "Ink runs out")
    #expect(failed.value("#body") == "a\nb")
    served.sandbox.update { $0.failureRate = 0 }
    let opened = try await failed.submit(form: "#draft")
    #expect(opened.address.hasPrefix("/issues?q=apple/cups&issue="))
    #expect(opened.text("#picked-title") == "Ink runs out")
  }

  @Test func `trying again sends the same draft with the same key`() throws {
    let servers = HeldServers()
    let entry = try #require(ScreenEntry(argument: "open"))
    let sources = DataSources(host: servers, catalogue: TwoOfEach(), store: servers)
    try tryAgain(entry.page(sources), servers)
  }

  private func tryAgain<Page: ShowcasePage>(_ page: Page, _ servers: HeldServers) throws {
    let cups = try #require(RepositoryName("apple/cups"))
    let form = DrawnPage(page, at: "/issues/new?repository=apple/cups")
    form.act("title", "Ink runs out")
    form.act("create")
    form.fail(servers.drafts)
    #expect(form.elements.has("#failure"))
    #expect(form.elements.attribute("value", of: "#title") == "Ink runs out")
    #expect(form.elements.text("#draft #failure h2") == "The issue could not be opened")
    #expect(form.status == "Your text has been kept.")
    #expect(form.elements.text("#send button") == "Try again")
    form.act("create")
    #expect(!form.elements.has("#failure"))
    form.reply(.sample(7, of: cups), to: servers.drafts)
    #expect(servers.drafts.requested.count == 2)
    #expect(Set(servers.drafts.requested).count == 1)
    #expect(form.status == "Issue #7 is open in apple/cups.")
  }

  @Test(.served) func `a form that is sent twice opens one issue`() async throws {
    let form = try await served.open("/issues/new")
    // Simulates repeated clicks in a browser without JavaScript.
    let pages = try await withThrowingTaskGroup(of: PlainPage.self) { group in
      for _ in 1...8 {
        group.addTask {
          try await form.submit(
            ["repository": "apple/cups", "title": "Ink", "body": "Why"], form: "#draft")
        }
      }
      return try await group.reduce(into: []) { $0.append($1.address) }
    }
    #expect(pages.count == 8)
    #expect(Set(pages).count == 1 && pages[0].contains("issue="), "\(pages)")
    let name = try #require(RepositoryName("apple/cups"))
    let issues = try await served.trackIssues(name).items
    #expect(issues.count { $0.title == "Ink" } == 1)
  }
}
