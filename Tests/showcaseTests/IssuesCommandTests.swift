import Foundation
import Testing

/// `showcase issues` as a script sees it: standard output, standard error and the exit status.
@Suite(.timeLimit(.minutes(1)))
struct IssuesCommandTests {
  @Test func listIsATableWithoutColour() async throws {
    let outcome = try await Command.run("issues", "apple/cups")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 6, "a heading and 5 issues; the sixth is a pull request")
    #expect(
      lines.first?.split(separator: " ") == ["#", "TITLE", "LABELS", "AUTHOR", "AGE", "COMMENTS"])
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^ *#\d+  .+ ago +\d+$/) })
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func longListSaysOnStandardErrorThatThereIsMore() async throws {
    let outcome = try await Command.run("issues", "apple/swift")
    #expect(outcome.status == 0)
    let count = outcome.output.split(separator: "\n").count - 1
    #expect(count > 50)
    #expect(outcome.error == "There are more open issues; these are the newest \(count).\n")
  }

  @Test func addressOfThePageWillDo() async throws {
    let outcome = try await Command.run("issues", "https://github.com/apple/cups/issues")
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 6)
  }

  @Test func jsonIsAnArrayWithEveryField() async throws {
    struct Document: Decodable {
      struct Label: Decodable {
        let name: String
        let color: String
      }
      let author: String
      let body: String
      let comments: Int
      let createdAt: Date
      let labels: [Label]
      let number: Int
      let repository: String
      let title: String
    }
    let outcome = try await Command.run("issues", "apple/cups", "--json")
    #expect(outcome.status == 0)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let issues = try decoder.decode([Document].self, from: Data(outcome.output.utf8))
    #expect(issues.count == 5)
    #expect(issues.allSatisfy { $0.repository == "apple/cups" && !$0.title.isEmpty })
    #expect(issues.contains { !$0.labels.isEmpty } && issues.contains { !$0.body.isEmpty })
    #expect(outcome.output.hasPrefix("[\n"))
    #expect(outcome.output.hasSuffix("]\n"))
  }

  @Test(arguments: ["nobody/nothing", "pebbleworks/blank-page"])
  func nothingFoundIsALineAndStatusOne(name: String) async throws {
    let outcome = try await Command.run("issues", name)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(
      outcome.error
        == "Error: Nothing found: there is no repository \(name), or none of its issues is open.\n")
  }

  @Test func nothingFoundIsAnEmptyArrayInJSON() async throws {
    let outcome = try await Command.run("issues", "nobody/nothing", "--json")
    #expect(outcome.status == 1)
    #expect(outcome.output == "[]\n")
    #expect(outcome.complaints.count == 1)
  }

  @Test(arguments: ["app", "apple/", "", "../..", "apple/swift\u{1B}[31m"])
  func textThatIsNoNameSaysWhatToType(text: String) async throws {
    let outcome = try await Command.run("issues", text)
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(outcome.error == "Error: Type a repository as owner/name, for example apple/swift.\n")
  }

  @Test func failingServerIsALineAndStatus69() async throws {
    let outcome = try await Command.run("issues", "apple/swift", "--failure-rate", "1")
    #expect(outcome.status == 69)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.contains("has a problem of its own"))
    #expect(outcome.error.contains("/repos/apple/swift: status 500)"))
  }

  @Test func rateLimitIsALineAndStatus75() async throws {
    let outcome = try await Command.run("issues", "apple/swift", "--rate-limit", "1")
    #expect(outcome.status == 75, "the repository is found, its issues are refused")
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.contains("too many requests"))
    #expect(outcome.error.contains("/repos/apple/swift/issues"))
  }

  @Test func readerThatLeavesEarlyIsNoError() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let outcome = try await Command.run(
      "issues", "apple/swift", output: pipe.fileHandleForWriting)
    #expect(outcome.isExit)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no /dev/full."))
  func outputThatCannotBeWrittenIsStatus74() async throws {
    let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    let outcome = try await Command.run("issues", "apple/cups", output: full)
    #expect(outcome.status == 74)
    #expect(outcome.complaints.count == 1)
  }
}
