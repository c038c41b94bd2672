import CurlewTerminal
import Domain
import Testing
import showcase

/// The details of a repository.
@Suite(.timeLimit(.minutes(1)))
struct CardTests {
  let repository: Repository

  init() throws {
    repository = Repository(
      name: try #require(RepositoryName("apple/swift")),
      summary: "The Swift\u{1B}[2J language, fast",
      stars: 67_012, forks: 10, watchers: 5, openIssues: 3, topics: ["compiler", "llvm", "星空"])
  }

  func text(_ width: Int?) -> String {
    repository.facts.card(on: Terminal(windowWidth: width, environment: [:]), isFictitious: true)
  }

  @Test func `card has a line for each value that is known`() {
    #expect(
      text(nil) == """
        Name         apple/swift
        Description  The Swift\u{FFFD}[2J language, fast
        Stars        67012
        Forks        10
        Watchers     5
        Open issues  3
        Topics       compiler, llvm, 星空

        """)
    #expect(text(32).hasPrefix("Name         apple/swift (sandbox data)\n"))
  }
}
