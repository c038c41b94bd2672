import Foundation
import Testing
import showcase

/// The verifiable parts of the changelog.
struct ChangelogTests {
  private let lines: [Substring]

  init() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../../CHANGELOG.md")
      .standardizedFileURL
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  private var headings: [Substring] { lines.filter { $0.hasPrefix("## ") } }

  @Test func `the newest release is the version of the code`() throws {
    #expect(headings.first == "## [Unreleased]")
    let newest = try #require(headings.dropFirst().first)
    #expect(newest.hasPrefix("## [\(Showcase.version)]"))
  }

  @Test func `each section is of a kind that the format has`() {
    let known: Set<Substring> = [
      "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security",
    ]
    let kinds = lines.filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) }
    #expect(!kinds.isEmpty)
    for kind in kinds { #expect(known.contains(kind), "\(kind)") }
  }

  @Test func `each version has a link`() {
    for heading in headings {
      let name = heading.dropFirst(3).prefix { $0 != "]" }
      #expect(lines.contains { $0.hasPrefix("\(name)]: https://") }, "\(name)]")
    }
  }
}
