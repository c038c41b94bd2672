import Foundation
import Sandbox
import Testing

/// The repositories starred by the user.
@Suite(.timeLimit(.minutes(1)))
struct StarTests {
  private func send(
    _ method: String, _ name: String, userAgent: String = "curlew-tests"
  ) async throws -> Reply {
    try await browser.get("/user/starred/\(name)", method: method, userAgent: userAgent)
  }

  private func starred(_ query: String = "?per_page=100") async throws -> [String] {
    try await browser.get("/user/starred\(query)").decode([RepositoryShape].self).map(\.full_name)
  }

  @Test(.sandbox) func `starred repositories look as in a search`() async throws {
    let found = try await browser.get("/search/repositories?q=language:python&per_page=3")
    let items = try found.decode(SearchShape.self).items.map(\.full_name)
    for name in items.reversed() { _ = try await send("PUT", name) }
    let list = try await browser.get("/user/starred")
    #expect(items.count == 3)
    #expect(found.text.contains("\"items\":\(list.text),"))
  }

  @Test(.sandbox) func `stars are paged by thirty`() async throws {
    let names = try await browser.search("q=language:python&per_page=35").items.map(\.full_name)
    for name in names.reversed() { _ = try await send("PUT", name) }
    #expect(names.count == 35)
    #expect(try await starred() == names)
    #expect(try await starred("") == Array(names.prefix(30)))
    let first = try await browser.get("/user/starred")
    let next = "\(browser.base)/user/starred?page=2"
    #expect(first.header("Link") == "<\(next)>; rel=\"next\", <\(next)>; rel=\"last\"")
    let last = try await browser.get(next)
    #expect(try last.decode([RepositoryShape].self).map(\.full_name) == Array(names.suffix(5)))
    #expect(Set(last.links.keys) == ["prev", "first"])
    #expect(try await starred("?per_page=10&page=4") == Array(names.suffix(5)))
    #expect(try await starred("?page=3").isEmpty)
  }

  @Test(.sandbox) func `two clients at once lose no star`() async throws {
    let names = try await browser.search("q=language:python&per_page=20").items.map(\.full_name)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for name in names {
        for client in ["one", "two"] {
          group.addTask { try await send("PUT", name, userAgent: client).status }
        }
      }
      var statuses: [Int] = []
      for try await status in group { statuses.append(status) }
      return statuses
    }
    #expect(statuses == Array(repeating: 204, count: 40))
    #expect(try await starred().sorted() == names.sorted())
  }

  @Test(.sandbox) func `each sandbox has its own stars`() async throws {
    _ = try await send("PUT", "apple/cups")
    let other = try await withSandbox { _, other in
      try await other.get("/user/starred/apple/cups").status
    }
    #expect(other == 404)
    #expect(try await starred() == ["apple/cups"])
  }
}
