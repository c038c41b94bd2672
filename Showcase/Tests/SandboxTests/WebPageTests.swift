import Foundation
import Sandbox
import Testing

/// The web pages that responses link to, and the API for dogs.
@Suite(.timeLimit(.minutes(1)))
struct WebPageTests {
  @Test(
    .sandbox,
    arguments: [
      ("/repos/apple/swift", "Repository"), ("/repos/apple/swift/issues/935", "Issue"),
      ("/3/movie/120011?api_key=\(Sandbox.tmdbKey)", "Movie"),
    ])
  func `what the api links to has a picture`(path: String, kind: String) async throws {
    let data = try await browser.get(path).object()
    let link = try #require(data["html_url"] as? String ?? data["homepage"] as? String)
    #expect(link.hasPrefix(browser.base))
    let page = try await browser.get(link, userAgent: "Mozilla")
    #expect(page.status == 200)
    #expect(
      page.header("Content-Security-Policy")
        == "default-src 'none'; style-src 'self'; img-src 'self'")
    #expect(page.text.contains("<p class=\"kind\">\(kind)</p>"))
    #expect(page.text.contains("Sandbox page.") && !page.text.contains("{{"))
    // Its style sheet, its image, and its data in the API.
    let targets = page.text.matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.output.1) }
    #expect(targets.count >= 3)
    for target in targets {
      let reply = try await browser.get(target.replacing("&amp;", with: "&"))
      #expect(reply.status == 200, "\(target)")
    }
  }

  @Test(.sandbox) func `a title is no markup`() async throws {
    let feed = try await browser.get("/us/rss/topmovies/limit=100/json").text
    let links = feed.matches(of: /"(http[^"]*\/us\/movie\/[^"]*)"/).map { String($0.output.1) }
    #expect(links.count >= 50)
    var hasEscaped = false
    for link in Set(links) {
      let page = try await browser.get(link).text
      let title = try #require(page.firstMatch(of: /<h1[^>]*>(.*)<\/h1>/)?.output.1)
      #expect(!title.contains("<"))
      hasEscaped = hasEscaped || title.contains("&lt;")
    }
    #expect(hasEscaped, "one of them has a title that looks like markup")
  }

  @Test(.sandbox) func `an issue has headings and code`() async throws {
    let issue = try #require(
      try await browser.list("/repos/apple/swift/issues").first {
        $0.body?.contains("### Steps") == true && $0.body?.contains("```") == true
      })
    let part = try #require(issue.body?.firstMatch(of: /`([a-z -]+)`/)?.output.1)
    let page = try await browser.get("/apple/swift/issues/\(issue.number)").text
    #expect(page.contains("<h2>Steps</h2>") && page.contains("<code>\(part)</code>"))
    #expect(page.contains("<pre>") && page.contains("</pre>") && !page.contains("```"))
  }

  @Test(.sandbox) func `a breed has more facts than its row`() async throws {
    let list = try #require(
      try JSONSerialization.jsonObject(
        with: try await browser.get("/dogs/breeds?name=dalm").data) as? [[String: Any]])
    #expect(list.map { $0["id"] as? String } == ["dalmatian"])
    #expect(list[0]["coats"] == nil)
    let breed = try await browser.get("/dogs/breeds/dalmatian").object()
    #expect(breed["coats"] as? [String] == ["white with black or liver spots"])
    #expect((breed["weight"] as? [String: Int]) == ["min": 20, "max": 32])
    #expect(try await browser.get("/dogs/breeds/cat").status == 404)
  }
}
