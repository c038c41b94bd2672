import Foundation
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  @Test(
    .sandbox,
    arguments: [
      "Swift", "Kotlin", "Rust", "TypeScript", "Python", "Go", "Ruby", "C", "C%2B%2B",
    ])
  func `language has many repositories the best starred first`(language: String) async throws {
    let query = "q=language:\(language)&sort=stars&per_page=100"
    let found = try await browser.search(query)
    #expect(found.total_count == found.items.count && found.total_count >= 20)
    #expect(!found.incomplete_results)
    let name = language.replacing("%2B", with: "+")
    #expect(found.items.allSatisfy { $0.language == name })
    let stars = found.items.map(\.stargazers_count)
    #expect(stars == stars.sorted(by: >) && Set(stars).count > 15)
    #expect(Set(found.items.map(\.id)).count == found.total_count)
    #expect(Set(found.items.map { $0.full_name.lowercased() }).count == found.total_count)
    // Case and quotation marks are ignored.
    let quoted = try await browser.search("q=LANGUAGE:%22\(language.lowercased())%22&per_page=100")
    #expect(quoted.items.map(\.id) == found.items.map(\.id))
  }

  @Test func `catalogues repositories are found too`() async throws {
    var options = Sandbox.Options.fixed
    options.searchRateLimit = nil
    try await withSandbox(options) { _, browser in
      for name in Sandbox.gitHubRepositories {
        let found = try await browser.search("q=\(name)")
        #expect(found.items.contains { $0.full_name == name }, "\(name)")
      }
    }
  }

  @Test(.sandbox) func `every found repository has its detail and its issues`() async throws {
    var counts: [Int] = []
    for page in [1, 3, 9] {
      let found = try await browser.search("q=language:javascript&per_page=8&page=\(page)")
      for item in found.items {
        let detail = try await browser.get("/repos/\(item.full_name)")
        let repository = try detail.decode(RepositoryShape.self)
        #expect(repository.id == item.id && repository.topics == item.topics)
        #expect(detail.text.contains("\"subscribers_count\":"))
        let issues = try await browser.list("/repos/\(item.full_name)/issues")
        #expect(issues.count == item.open_issues_count)
        counts.append(issues.count)
        #expect(try await browser.get(item.html_url.absoluteString).status == 200)
      }
    }
    #expect(counts.count == 24 && Set(counts).count > 5)
  }

  @Test(.sandbox) func `words match in name or description`() async throws {
    let found = try await browser.search("q=TIDES+small&per_page=100")
    #expect(found.items.contains { $0.full_name == "harborlight/tidewatch" })
    for item in found.items {
      let text = "\(item.full_name) \(item.description ?? "")".lowercased()
      #expect(text.contains("tides") && text.contains("small"))
    }
    let phrase = try await browser.search("q=%22for+small+boats%22")
    #expect(phrase.total_count > 1 && phrase.items.allSatisfy { $0.description != nil })
    let none = try await browser.get("/search/repositories?q=xyzzy-nothing")
    let nothing = try none.decode(SearchShape.self)
    #expect(nothing.total_count == 0 && nothing.items.isEmpty && !nothing.incomplete_results)
    #expect(none.header("Link") == nil)
  }

  @Test(.sandbox) func `following next visits each repository once`() async throws {
    var ids: [Int] = []
    var next: String? = "/search/repositories?q=language:python&sort=stars&per_page=10&page=1"
    var pages = 0
    while let path = next, pages < 20 {
      let reply = try await browser.get(path)
      ids += try reply.decode(SearchShape.self).items.map(\.id)
      next = reply.links["next"]
      pages += 1
    }
    #expect(ids.count == 53 && Set(ids).count == 53 && pages == 6)
    // Another sandbox returns the same repositories.
    let again = try await withSandbox { _, browser in
      try await browser.search("q=language:python&per_page=100").items.map(\.id)
    }
    #expect(again == ids)
  }

  @Test(.sandbox) func `only the first thousand are given out`() async throws {
    let path = "/search/repositories?q=language:javascript"
    let last = try await browser.get("\(path)&per_page=100&page=10")
    let found = try last.decode(SearchShape.self)
    #expect(found.total_count == 1_240 && found.items.count == 100)
    #expect(Set(last.links.keys) == ["prev", "first"])
    let first = try await browser.get("\(path)&per_page=100")
    #expect(first.links["last"]?.hasSuffix("page=10") == true)
    // The limit is in the middle of page 34.
    let cut = try await browser.search("q=language:javascript&per_page=30&page=34")
    #expect(cut.items.count == 10)
  }

  @Test(.sandbox) func `search that gives up says so and has half`() async throws {
    let query = "q=language:go&per_page=10"
    let whole = try await browser.search(query)
    sandbox.update { $0.incompleteResults = true }
    let half = try await browser.search(query)
    #expect(half.incomplete_results && half.total_count == whole.total_count)
    #expect(half.items.map(\.id) == whole.items.prefix(5).map(\.id))
  }
}

extension PlainBrowser {
  func search(_ query: String) async throws -> SearchShape {
    try await get("/search/repositories?\(query)").decode(SearchShape.self)
  }
}
