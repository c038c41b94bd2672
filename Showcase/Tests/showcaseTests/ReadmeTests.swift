import Foundation
import Testing

/// The dog search as the README quotes it.
struct ReadmeTests {
  private let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  @Test func `the dog search is quoted as it is and short`() throws {
    let readme = try text("README.md")
    let start = try #require(readme.range(of: "all of the showcase's dog search"))
    let parts = readme[start.upperBound...].split(
      separator: "```", maxSplits: 2, omittingEmptySubsequences: false)
    let quoted = words(parts[1].drop { $0 != "\n" })
    let files = try [
      "Showcase/Domain/Dog.swift", "Showcase/Platform/Dogs/SlowDogs.swift",
      "Showcase/Application/Dogs/DogSearch.swift", "Showcase/showcase/Pages/Dogs/DogsPage.swift",
    ].map { try text($0) }
    // Without the entry in the list of screens, which all pages have.
    let page = try #require(files[3].range(of: "extension SearchPage"))
    let code = words((files[..<3] + [String(files[3][page.lowerBound...])]).joined(separator: "\n"))
      .map { $0.hasPrefix("package ") ? String($0.dropFirst(8)) : $0 }
      .filter { line in
        !["///", "import", "public import", "typealias", "public typealias"].contains {
          line.hasPrefix($0)
        }
      }
    #expect(quoted == code)
    #expect(quoted.count < 60)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The lines that say something, without their spaces at the ends.
  private func words(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
