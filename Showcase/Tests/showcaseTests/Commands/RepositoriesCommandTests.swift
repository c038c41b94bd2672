import Foundation
import Testing

/// `showcase repositories` and `showcase repository` in a script.
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

  @Test func `swift is the usual language`() async throws {
    let outcome = try await Command.succeed("repositories")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 11, "a heading and ten repositories")
    #expect(
      lines.first?.split(separator: " ") == ["STARS", "FORKS", "NAME", "LANGUAGE", "DESCRIPTION"])
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^ *\d+ +\d+  \S+\/\S+ +Swift  .+$/) })
    #expect(
      outcome.error
        == "There are more repositories: use --page 2 for the next page, or --all.\n")
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `json has the most stars first`() async throws {
    let outcome = try await Command.succeed("repositories", "Kotlin", "--json")
    let repositories = try documents(outcome)
    #expect(repositories.count == 10)
    #expect(repositories.allSatisfy { $0.language == "Kotlin" && $0.link != nil })
    #expect(repositories.map(\.stars) == repositories.map(\.stars).sorted(by: >))
  }

  @Test func `no more than a thousand can be had`() async throws {
    let outcome = try await Command.succeed(
      "repositories", "javascript", "--all", "--json", "--search-rate-limit", "1000")
    #expect(try documents(outcome).count == 1_000)
  }

  @Test func `search rate limit keeps the pages before it`() async throws {
    let outcome = try await Command.run(
      "repositories", "javascript", "--all", "--json", "--search-rate-limit", "4")
    #expect(outcome.status == 75)
    #expect(try documents(outcome).count == 40)
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.hasSuffix(" Page 5 and the following pages are missing.\n"))
  }

  @Test func `incomplete results are told`() async throws {
    let outcome = try await Command.succeed("repositories", "swift", "--incomplete")
    #expect(
      outcome.complaints.first
        == "The results are incomplete: the server stopped the search early.")
  }

  @Test func `repository is a card`() async throws {
    let outcome = try await Command.succeed("repository", "apple/swift")
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "Name         apple/swift")
    for name in ["Description", "Stars", "Forks", "Watchers", "Open issues", "Licence", "Link"] {
      #expect(lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
    }
  }

  @Test func `repository in JSON is an object`() async throws {
    let outcome = try await Command.succeed("repository", "github.com/apple/swift", "--json")
    let found = try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8))
    #expect(found.name == "apple/swift")
    #expect(found.watchers != nil)
    #expect(found.licence != nil)
  }

  @Test func `a star and its refusal are said on a screen`() async throws {
    let outcome = try await Command.run(
      ["screen", "repositories"],
      input: "term swift\nsubmit\nstar ReactiveX/RxSwift\nstar vapor/vapor\n")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.contains("1 starred"))
    #expect(
      lines.contains(
        "The star of vapor/vapor can't be changed. GitHub reports: Repository access blocked."))
  }
}
