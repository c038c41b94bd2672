import Foundation
import Testing

/// `showcase watch` in a script; the sandbox opens an issue every four seconds.
@Suite(.timeLimit(.minutes(1)))
struct WatchCommandTests {
  @Test func `line is printed for each issue as it is opened`() async throws {
    let outcome = try await Command.succeed("watch", "apple/swift", "--count", "1")
    #expect(outcome.output.wholeMatch(of: /#\d+ +\S[^\n]*\n/) != nil, "\(outcome.output)")
    #expect(outcome.error == "")
  }

  @Test func `json is one object in each line`() async throws {
    struct Issue: Decodable {
      let number: Int
      let repository: String
    }
    let outcome = try await Command.run("watch", "apple/swift", "--count", "2", "--json")
    let lines = outcome.output.split(separator: "\n")
    let issues = try lines.map { try JSONDecoder().decode(Issue.self, from: Data($0.utf8)) }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { $0.repository == "apple/swift" })
    #expect(issues[1].number == issues[0].number + 1)
  }

  @Test(
    arguments: [
      (["nobody/nothing"], 1), (["apple"], 64), (["apple/swift", "--count", "0"], 64),
      (["apple/swift", "--count", "-1"], 64), (["apple/swift", "--failure-rate", "1"], 69),
    ] as [([String], Int32)])
  func `what can not be watched says why`(arguments: [String], status: Int32) async throws {
    let outcome = try await Command.run(["watch"] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("Error: "))
  }

  @Test(.enabled(if: Command.canBeShells))
  func `lines are there before it is interrupted`() async throws {
    let (outcome, text) = try await Command.interrupted("watch", "apple/swift")
    #expect(!outcome.isExit)
    #expect(text.hasSuffix("\n"))
  }
}
