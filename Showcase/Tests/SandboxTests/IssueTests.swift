import Foundation
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct IssueTests {
  @Test(.sandbox) func `issues have git hubs shape`() async throws {
    let reply = try await browser.get("/repos/apple/cups/issues")
    let issues = try reply.decode([IssueShape].self)
    #expect(issues.count == 6)
    #expect(issues.allSatisfy { $0.state == "open" && $0.closed_at == nil })
    // GitHub sends null for a missing value instead of omitting the member.
    for key in ["\"closed_at\":null", "\"milestone\":null", "\"body\":null", "\"body\":\"\""] {
      #expect(reply.text.contains(key), "\(key)")
    }
    let first = try #require(issues.first)
    #expect(first.url.absoluteString == "\(browser.base)/repos/apple/cups/issues/\(first.number)")
    let single = try await browser.get(first.url.absoluteString).decode(IssueShape.self)
    #expect(single.title == first.title)
  }

  @Test(.sandbox) func `list is newest first from minutes to years`() async throws {
    let issues = try await browser.wholeList("/repos/apple/swift/issues")
    let ages = issues.map { today.timeIntervalSince($0.created_at) }
    #expect(ages == ages.sorted())
    #expect(issues.map(\.number) == issues.map(\.number).sorted(by: >))
    #expect(try #require(ages.first) < 3_600)
    #expect(try #require(ages.last) > 5 * 365 * 86_400)
    #expect(issues.allSatisfy { $0.created_at <= $0.updated_at && $0.updated_at <= today })
  }

  @Test(.sandbox) func `titles and bodies are varied`() async throws {
    let issues = try await browser.wholeList("/repos/apple/swift/issues")
    #expect(Set(issues.map(\.title)).count == issues.count)
    #expect(Set(issues.map(\.id)).count == issues.count)
    #expect(Set(issues.map(\.user.login)).count > 20)
    for part in ["<script>", "&", "\"", "ß", "日本語", "العربية", "🚀"] {
      #expect(issues.contains { $0.title.contains(part) }, "\(part)")
    }
    #expect(issues.contains { $0.body == nil } && issues.contains { $0.body == "" })
    #expect(issues.contains { ($0.body ?? "").utf8.count > 4_000 })
    #expect(issues.contains { ($0.body ?? "").contains("```") })
    let colors = issues.flatMap(\.labels).map(\.color)
    #expect(colors.allSatisfy { $0.count == 6 && Int($0, radix: 16) != nil })
    #expect(Set(colors).count > 8)
  }

  @Test(.sandbox) func `few entries are pull requests`() async throws {
    let issues = try await browser.list("/repos/apple/swift/issues?per_page=100")
    let pulls = issues.filter { $0.pull_request != nil }
    #expect((1...20).contains(pulls.count))
    #expect(pulls.allSatisfy { $0.html_url.path.contains("/pull/") })
  }

  @Test(.sandbox) func `state chooses open closed or all`() async throws {
    let path = "/repos/gardenmesh/seedling/issues"
    let closed = try await browser.list("\(path)?state=closed")
    #expect(try await browser.list(path).isEmpty)
    #expect(closed.count == 14)
    #expect(closed.allSatisfy { $0.state == "closed" && $0.closed_at != nil })
    #expect(try await browser.list("\(path)?state=all").count == 14)
  }

  @Test(.sandbox) func `two sandboxes tell the same`() async throws {
    func issues(_ browser: PlainBrowser) async throws -> [String] {
      try await browser.list("/repos/moya/moya/issues?per_page=100").map {
        "\($0.number) \($0.title) \($0.created_at) \($0.body ?? "-")"
      }
    }
    let others = try await withSandbox { _, other in try await issues(other) }
    #expect(try await issues(browser) == others)
  }

  @Test(.sandbox) func `link of an issue leads to an escaped page`() async throws {
    let issues = try await browser.wholeList("/repos/apple/swift/issues")
    let issue = try #require(issues.first { $0.title.contains("<script>") })
    let page = try await browser.get(issue.html_url.absoluteString)
    #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"))
  }
}
