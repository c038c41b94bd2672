import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PagingTests {
  @Test(.sandbox, arguments: [("apple/swift", 9), ("vapor/vapor", 2), ("ReactiveX/RxSwift", 1)])
  func `following next visits each issue once`(name: String, pages: Int) async throws {
    var numbers: [Int] = []
    var next: String? = "/repos/\(name)/issues"
    while let path = next, sandbox.requests.count < 20 {
      let reply = try await browser.get(path)
      numbers += try reply.decode([IssueShape].self).map(\.number)
      next = reply.links["next"]
    }
    let count = try await browser.get("/repos/\(name)").decode(RepositoryShape.self)
      .open_issues_count
    #expect(sandbox.requests.count == pages + 1)
    #expect(numbers.count == count)
    #expect(Set(numbers).count == count)
  }

  @Test(
    .sandbox,
    arguments: [
      ("per_page=1000", 100), ("per_page=0", 30), ("per_page=-5", 30), ("per_page=x", 30),
      ("per_page=7", 7), ("page=abc", 30), ("page=0", 30), ("page=-1", 30), ("page=", 30),
      ("page=99999999999999999999", 30), ("per_page=3&per_page=4", 4), ("&&=&page", 30),
      ("%zz=%", 30),
    ])
  func `odd numbers fall back`(query: String, count: Int) async throws {
    let all = try await browser.list("/repos/apple/swift/issues?per_page=100")
    let issues = try await browser.list("/repos/apple/swift/issues?\(query)")
    #expect(issues.map(\.number) == Array(all.map(\.number).prefix(count)))
  }

  @Test(.sandbox) func `links use the name that the client used`() async throws {
    let host = "sandbox.localhost:\(browser.port)"
    let named = try await browser.get("/repos/apple/swift/issues", headers: ["Host": host])
    #expect(named.links["next"]?.hasPrefix("http://\(host)/repos/") == true)
    let odd = try await browser.get("/repos/apple/swift/issues", headers: ["Host": "a>, <b"])
    #expect(odd.links["next"]?.hasPrefix("\(browser.base)/repos/") == true)
  }
}
