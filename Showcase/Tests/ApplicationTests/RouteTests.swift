import Application
import CurlewScreens
import Domain
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RouteTests {
  static func name(_ text: String) throws -> RepositoryName {
    try #require(RepositoryName(text))
  }

  @Test func `each route has its address`() throws {
    let swift = try Self.name("apple/swift")
    #expect(IssuesRoute().address == "/issues")
    #expect(IssuesRoute(swift).address == "/issues?q=apple/swift")
    #expect(
      MovieRoute(MovieKey(id: 7, language: "de-DE")).address == "/movie/7?language=de-DE")
    #expect(MovieRoute(address: "/movie/7?language=xx")?.address == "/movie/7")
    #expect(RepositoryRoute(swift).address == "/repositories/apple/swift")
  }

  @Test(arguments: [
    "apple/swift", "a/b", "octo-cat-/.github", "0/_.-", "o/...", "A-1/x.y_z-", "issues/issues",
    "repositories/itunes", "a/-", "a/_41",
  ])
  func `routes of odd repositories read back to themselves`(text: String) throws {
    let name = try Self.name(text)
    #expect(IssuesRoute(address: IssuesRoute(name).address) == IssuesRoute(name))
    #expect(RepositoryRoute(address: RepositoryRoute(name).address) == RepositoryRoute(name))
  }

  @Test func `what is unknown in a query is left out`() throws {
    let swift = try Self.name("apple/swift")
    #expect(IssuesRoute(address: "/issues?page=2&q=apple%2Fswift&x") == IssuesRoute(swift))
    for address in ["/issues", "/issues?q=", "/issues?q=nonsense", "/issues?xq=apple/swift"] {
      #expect(IssuesRoute(address: address) == IssuesRoute())
    }
    #expect(RepositoryRoute(address: "/repositories/apple/swift?tab=1") == RepositoryRoute(swift))
    #expect(RepositoryRoute(address: "/repositories/apple/swift/") == RepositoryRoute(swift))
  }

  @Test(arguments: [
    "", "/", "?", "/?q=apple/swift", "/nowhere", "/Issues", "/issues/12", "/repositories",
    "/repositories/apple", "/repositories/apple/..", "/repositories/../swift",
    "/repositories/apple/swift/issues", "/repositories/apple%2Fswift",
    "/repositories/apple%2F/swift", "/repositories/ap%20ple/swift", "/repositories/apple/%00",
    "https://example.com/issues", "https://example.com/repositories/apple/swift",
    "javascript:alert(1)",
  ])
  func `unknown address leads nowhere`(address: String) {
    #expect(IssuesRoute(address: address) == nil)
    #expect(RepositoryRoute(address: address) == nil)
  }

  @Test(arguments: MovieList.allCases)
  func `lists name in an address reads back`(list: MovieList) {
    #expect(MovieList(slug: list.slug) == list)
    #expect(!list.slug.contains("_"))
    #expect(MovieList(slug: list.rawValue) == nil)
  }

  @Test(arguments: ["", "-", "now-playing-", "now playing", "NOW-PLAYING", "popular"])
  func `anything else is no list`(slug: String) {
    #expect(MovieList(slug: slug) == nil)
  }
}
