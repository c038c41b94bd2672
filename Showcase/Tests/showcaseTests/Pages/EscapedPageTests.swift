import CurlewLive
import CurlewLiveTesting
import Domain
import Sandbox
import Testing

/// Markup in data or in an address is shown as text, and never becomes an element.
@Suite(.timeLimit(.minutes(1)))
struct EscapedPageTests {
  private func expectNothingStrange(
    on page: PlainPage, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for selector in ["#live script", "#live b", "#live iframe", "[onerror]"] {
      #expect(!page.has(selector), "\(selector)", sourceLocation: sourceLocation)
    }
    let images = page.elements.attributes("src", of: "#live img")
    #expect(images.allSatisfy { $0.hasPrefix("/images/") }, sourceLocation: sourceLocation)
    let links = page.elements.attributes("href", of: "#live a")
    #expect(!links.contains { $0.hasPrefix("javascript:") }, sourceLocation: sourceLocation)
    #expect(page.text("title")?.contains("owned") == false, sourceLocation: sourceLocation)
  }

  /// Returns the first matching issue in the sandbox.
  private func find(where isWanted: (Domain.Issue) -> Bool) async throws -> Domain.Issue? {
    for name in Sandbox.gitHubRepositories.compactMap({ RepositoryName($0) }) {
      if let issue = try await served.trackIssues(name).items.first(where: isWanted) {
        return issue
      }
    }
    return nil
  }

  @Test(.served) func `markup in the data is shown as text`() async throws {
    let title = try #require(try await find { $0.title.contains("<script>") })
    let body = try #require(try await find { $0.body.contains("onerror=") })
    for issue in [title, body] {
      let page = try await served.open("/issues?q=\(issue.repository)&issue=\(issue.number)")
      #expect(page.texts("#issues .title").contains(issue.title))
      #expect(page.text("#picked-title") == issue.title)
      let text = try #require(page.text("#picked .body"))
      for tag in issue.body.matches(of: #/<[a-z][^>\n]*>/#) {
        #expect(text.contains(tag.0), "a tag is text")
      }
      expectNothingStrange(on: page)
    }
  }

  @Test(
    .served,
    arguments: [
      #""><script>window.__xss = 1</script>"#, "'><img src=x onerror='window.__xss=1'>",
      "{{title}}{{{head}}}", "</main></div><script>window.__xss = 1</script>",
    ])
  func `markup in the address is shown as text`(attack: String) async throws {
    let query: LiveQuery = ["q": attack]
    let page = try await served.open("/issues" + query.text)
    #expect(page.has("#live #idle"))
    #expect(page.value("#q") == attack)
    expectNothingStrange(on: page)
  }

  @Test(
    .served,
    arguments: [
      ("/%3Cscript%3Ewindow.__xss=1%3C/script%3E", "/<script>window.__xss=1</script>"),
      ("/issues/1", "/issues/1"), ("/nowhere", "/nowhere"),
    ])
  func `an address that leads nowhere says so`(path: String, text: String) async throws {
    let page = try await served.open(path)
    #expect(page.status == 404)
    #expect(page.text("h1") == "Page not found")
    #expect(page.text("#live strong") == text)
    expectNothingStrange(on: page)
    #expect(try await page.follow(".notice a").has(".home"))
  }
}
