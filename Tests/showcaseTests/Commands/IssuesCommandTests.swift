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
    #expect(
      outcome.error == "There are more open issues: the next are on --page 2, all with --all.\n")
  }

  @Test func pagesTogetherAreTheWholeList() async throws {
    var pages: [Substring] = []
    for page in 1...2 {
      let outcome = try await Command.run("issues", "apple/swift", "--page", "\(page)")
      #expect(outcome.status == 0)
      pages += outcome.output.split(separator: "\n").dropFirst()
    }
    let all = try await Command.run("issues", "apple/swift", "--all")
    #expect(all.status == 0)
    #expect(all.error == "", "no bar where there is no terminal")
    let numbers = { (lines: [Substring]) in
      lines.compactMap { $0.firstMatch(of: /^ *#(\d+)/)?.output.1 }
    }
    let everything = numbers(all.output.split(separator: "\n"))
    #expect(everything.count > 100)
    #expect(everything.starts(with: numbers(pages)))
    #expect(Set(everything).count == everything.count)
  }

  @Test func pageAfterTheLastIsNothingFound() async throws {
    let outcome = try await Command.run("issues", "apple/cups", "--page", "9")
    #expect(outcome.status == 1)
    #expect(outcome.error == "Error: Nothing found: apple/cups has no open issues on page 9.\n")
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

  @Test(arguments: [
    ("nobody/nothing", "there is no repository nobody/nothing"),
    ("pebbleworks/blank-page", "pebbleworks/blank-page has no open issues"),
  ])
  func nothingFoundIsALineAndStatusOne(name: String, reason: String) async throws {
    let outcome = try await Command.run("issues", name)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.error == "Error: Nothing found: \(reason).\n")
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
    #expect(outcome.error == "Error: The server has a problem. Try again in a moment.\n")
  }

  @Test func rateLimitIsALineAndStatus75() async throws {
    let outcome = try await Command.run("issues", "apple/swift", "--rate-limit", "1")
    #expect(outcome.status == 75, "the repository is found, its issues are refused")
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    // The first response has said that nothing is left, so nothing more is sent.
    #expect(
      outcome.error
        == "Error: The server accepts no more requests for now. Try again in 60 minutes.\n")
  }

  @Test func refusedRequestSaysHowLongToWait() async throws {
    let outcome = try await Command.run(
      "issues", "apple/swift", "--rate-limit", "0", "--rate-window", "90")
    #expect(outcome.status == 75)
    #expect(outcome.complaints.count == 1)
    #expect(
      outcome.error
        == "Error: The server asks to wait: too many requests. Try again in 90 seconds.\n")
  }

  @Test func verboseShowsWhatHappensToEachRequestAsItHappens() async throws {
    let outcome = try await Command.run(
      "issues", "apple/swift", "--failure-rate", "1", "--verbose")
    #expect(outcome.status == 69)
    let details = outcome.complaints.dropLast()
    let url = #/^#1 \+0\.000 s GET http://127\.0\.0\.1:\d+/repos/apple/swift$/#
    #expect(details.first?.contains(url) == true)
    #expect(details.count { $0.hasSuffix(" s attempt 3: status 500") } == 1)
    #expect(details.count { $0.contains(" s retrying in ") } == 2)
    #expect(details.last?.contains(#/^#1 \+\d+\.\d{3} s failed: status 500: ./#) == true)
    #expect(outcome.complaints.count { $0.contains("status 500: ") } == 1)
  }

  @Test func verboseSaysHowFastTheResponseIsDecoded() async throws {
    let line =
      #/json \d.* decoded in \d+\.\d\d ms, by JSONDecoder in \d+\.\d\d ms: \d+\.\d times as fast.*/#
    let verbose = try await Command.run("issues", "apple/swift", "--verbose")
    #expect(verbose.complaints.contains { $0.wholeMatch(of: line) != nil })
    let silent = try await Command.run("issues", "apple/swift")
    #expect(!silent.error.contains("decoded in"))
  }

  @Test func shortWaitIsSilent() async throws {
    let outcome = try await Command.run(
      "issues", "apple/cups", "--json", "--rate-limit", "1", "--rate-window", "1")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
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
