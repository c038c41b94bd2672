import Foundation
import Testing

/// `showcase issues` in a script: standard output, standard error and the exit status.
@Suite(.timeLimit(.minutes(1)))
struct IssuesCommandTests {
  @Test func `list is a table without colour`() async throws {
    let outcome = try await Command.succeed("issues", "https://github.com/apple/cups/issues")
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 6, "a heading and 5 issues; the sixth is a pull request")
    #expect(
      lines.first?.split(separator: " ") == ["#", "TITLE", "LABELS", "AUTHOR", "AGE", "COMMENTS"])
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^ *#\d+  .+ ago +\d+$/) })
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `pages together are the whole list`() async throws {
    var pages: [Substring] = []
    for page in 1...2 {
      let outcome = try await Command.succeed("issues", "apple/swift", "--page", "\(page)")
      pages += outcome.output.split(separator: "\n").dropFirst()
    }
    let all = try await Command.succeed("issues", "apple/swift", "--all")
    #expect(all.error == "", "no bar where there is no terminal")
    let numbers = { (lines: [Substring]) in
      lines.compactMap { $0.firstMatch(of: /^ *#(\d+)/)?.output.1 }
    }
    let everything = numbers(all.output.split(separator: "\n"))
    #expect(everything.count > 100)
    #expect(everything.starts(with: numbers(pages)))
    #expect(Set(everything).count == everything.count)
  }

  @Test func `json is an array with every field`() async throws {
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
    let outcome = try await Command.succeed("issues", "apple/cups", "--json")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let issues = try decoder.decode([Document].self, from: Data(outcome.output.utf8))
    #expect(issues.count == 5)
    #expect(issues.allSatisfy { $0.repository == "apple/cups" && !$0.title.isEmpty })
    #expect(issues.contains { !$0.labels.isEmpty } && issues.contains { !$0.body.isEmpty })
    #expect(outcome.output.hasPrefix("[\n"))
    #expect(outcome.output.hasSuffix("]\n"))
  }

  @Test func `verbose shows what happens to each request as it happens`() async throws {
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

  @Test func `short wait is silent`() async throws {
    let outcome = try await Command.succeed(
      "issues", "apple/cups", "--json", "--rate-limit", "1", "--rate-window", "1")
    #expect(outcome.error == "")
  }

  @Test func `reader that leaves early is no error`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let outcome = try await Command.run(
      "issues", "apple/swift", output: pipe.fileHandleForWriting)
    #expect(outcome.isExit)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "There is no /dev/full."))
  func `output that cannot be written is status74`() async throws {
    let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    let outcome = try await Command.run("issues", "apple/cups", output: full)
    #expect(outcome.status == 74)
    #expect(outcome.complaints.count == 1)
  }
}
