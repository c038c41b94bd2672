import Foundation
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RealDataTests {
  private func issues(_ browser: PlainBrowser) async throws -> [[String: Any]] {
    let reply = try await browser.get("/repos/curlew/real-data/issues?per_page=100")
    return try JSONSerialization.jsonObject(with: reply.data) as? [[String: Any]] ?? []
  }

  @Test(.sandbox) func `issues are hard to show`() async throws {
    let issues = try await issues(browser)
    let labels = issues.map { ($0["labels"] as? [Any])?.count }
    let titles = issues.compactMap { $0["title"] as? String }
    #expect(titles.count == issues.count && issues.count > 12)
    #expect(labels.contains(10) && labels.contains(0) && labels.contains(nil))
    #expect(titles.contains { $0.count == 250 && $0.contains(" ") })
    #expect(titles.contains { $0.count > 100 && !$0.contains(" ") })
    #expect(titles.contains { $0.contains("🎉") } && titles.contains { $0.contains("البحث") })
    #expect(issues.contains { $0["user"] is NSNull } && issues.contains { $0["user"] == nil })
    #expect(issues.contains { $0["body"] is NSNull } && issues.contains { $0["body"] == nil })
    let comments = issues.map { $0["comments"] as? Int }
    #expect(comments.contains(0) && comments.contains(12_345) && comments.contains(nil))
    #expect(issues.allSatisfy { $0["number"] is Int && $0["created_at"] is String })
  }

  @Test(.sandbox) func `search lacks what is optional`() async throws {
    let found = try await browser.get("/search/repositories?q=curlew/").object()
    let items = found["items"] as? [[String: Any]] ?? []
    #expect(found["incomplete_results"] == nil && items.count == found["total_count"] as? Int)
    #expect(items.contains { $0["description"] is NSNull && $0["license"] is NSNull })
    #expect(items.contains { $0["stargazers_count"] == nil && $0["owner"] == nil })
    for name in items.compactMap({ $0["full_name"] as? String }) {
      #expect(try await browser.get("/repos/\(name)").status == 200)
      let issues = try await browser.get("/repos/\(name)/issues")
      #expect(issues.status == 200 && issues.text != "[]")
    }
  }
}
