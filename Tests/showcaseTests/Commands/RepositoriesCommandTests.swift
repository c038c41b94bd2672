import Foundation
import Testing

/// `showcase repositories` and `showcase repository` as a script sees them.
@Suite(.timeLimit(.minutes(1)))
struct RepositoriesCommandTests {
  struct Document: Decodable {
    let description: String?
    let forks: Int
    let language: String?
    let licence: String?
    let link: URL?
    let name: String
    let openIssues: Int
    let stars: Int
    let topics: [String]
    let watchers: Int?
  }

  func documents(_ outcome: Command.Outcome) throws -> [Document] {
    try JSONDecoder().decode([Document].self, from: Data(outcome.output.utf8))
  }

  @Test func swiftIsTheUsualLanguage() async throws {
    let outcome = try await Command.run("repositories")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 11, "a heading and ten repositories")
    #expect(
      lines.first?.split(separator: " ") == ["STARS", "FORKS", "NAME", "LANGUAGE", "DESCRIPTION"])
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^ *\d+ +\d+  \S+\/\S+ +Swift  .+$/) })
    #expect(
      outcome.error
        == "There are more repositories: the next are on --page 2, all with --all.\n")
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func jsonHasTheMostStarsFirst() async throws {
    let outcome = try await Command.run("repositories", "Kotlin", "--json")
    #expect(outcome.status == 0)
    let repositories = try documents(outcome)
    #expect(repositories.count == 10)
    #expect(repositories.allSatisfy { $0.language == "Kotlin" && $0.link != nil })
    #expect(repositories.map(\.stars) == repositories.map(\.stars).sorted(by: >))
  }

  @Test func pagesTogetherAreTheWholeList() async throws {
    let second = try documents(
      try await Command.run("repositories", "rust", "--page", "2", "--json"))
    let outcome = try await Command.run("repositories", "rust", "--all", "--json")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    let all = try documents(outcome)
    #expect(all.count > 30)
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(all[10..<20].map(\.name) == second.map(\.name))
  }

  @Test func noMoreThanAThousandCanBeHad() async throws {
    let outcome = try await Command.run(
      "repositories", "javascript", "--all", "--json", "--search-rate-limit", "1000")
    #expect(outcome.status == 0)
    #expect(try documents(outcome).count == 1_000)
    let beyond = try await Command.run("repositories", "javascript", "--page", "101")
    #expect(beyond.status == 64)
    #expect(beyond.output == "")
    #expect(beyond.complaints.count == 1)
  }

  @Test func searchRateLimitKeepsThePagesBeforeIt() async throws {
    let outcome = try await Command.run(
      "repositories", "javascript", "--all", "--json", "--search-rate-limit", "4")
    #expect(outcome.status == 75)
    #expect(try documents(outcome).count == 40)
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.hasSuffix(" Page 5 and what comes after it are missing.\n"))
  }

  @Test func incompleteResultsAreTold() async throws {
    let outcome = try await Command.run("repositories", "swift", "--incomplete")
    #expect(outcome.status == 0)
    #expect(
      outcome.complaints.first
        == "The results are incomplete: the server gave up before it had looked everywhere.")
  }

  @Test func nothingFoundIsALineAndStatusOne() async throws {
    let outcome = try await Command.run("repositories", "brainfuck")
    #expect(outcome.status == 1)
    #expect(outcome.error == "Error: Nothing found: no repository is written in brainfuck.\n")
    let json = try await Command.run("repositories", "brainfuck", "--json")
    #expect(json.status == 1)
    #expect(json.output == "[]\n")
  }

  @Test func repositoryIsACard() async throws {
    let outcome = try await Command.run("repository", "apple/swift")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "Name         apple/swift")
    for name in ["Description", "Stars", "Forks", "Watchers", "Open issues", "Licence", "Link"] {
      #expect(lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
    }
  }

  @Test func repositoryInJSONIsAnObject() async throws {
    let outcome = try await Command.run("repository", "github.com/apple/swift", "--json")
    #expect(outcome.status == 0)
    let found = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    #expect(found.name == "apple/swift")
    #expect(found.watchers != nil)
    #expect(found.licence != nil)
  }

  @Test func repositoryThatDoesNotExistIsALineAndStatusOne() async throws {
    let outcome = try await Command.run("repository", "nobody/nothing")
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.error == "Error: Nothing found: there is no repository nobody/nothing.\n")
    let json = try await Command.run("repository", "nobody/nothing", "--json")
    #expect(json.status == 1)
    #expect(json.output == "null\n")
  }
}
