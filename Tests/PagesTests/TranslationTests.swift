import Foundation
import Testing

/// The Vietnamese pages have the code, the tables and the links of the English pages.
@Suite(.timeLimit(.minutes(1)))
struct TranslationTests {
  /// The English pages and their translations, as paths in the package.
  nonisolated private static let pages: [(english: String, vietnamese: String)] = [
    ("README.md", "README.vi.md"),
    (
      "Sources/Curlew/Curlew.docc/FromTheTutorials.md",
      "Documentation/FromTheTutorials.vi.md"
    ),
  ]

  private let package = URL(filePath: #filePath).appending(path: "../../..").standardized

  @Test(arguments: pages)
  func `a translation has the same code`(english: String, vietnamese: String) throws {
    let expected = try code(of: english)
    let translated = try code(of: vietnamese)
    #expect(!expected.isEmpty)
    #expect(translated.count == expected.count, "\(vietnamese)")
    for (block, original) in zip(translated, expected) {
      #expect(block == original, "\(vietnamese)")
    }
  }

  @Test(arguments: pages)
  func `a translation has the same headings and tables`(english: String, vietnamese: String)
    throws
  {
    #expect(try levels(of: vietnamese) == levels(of: english), "\(vietnamese)")
    let expected = try tables(of: english)
    let translated = try tables(of: vietnamese)
    #expect(!expected.isEmpty)
    #expect(translated.map(\.count) == expected.map(\.count), "\(vietnamese)")
    for (row, original) in zip(translated.joined(), expected.joined()) {
      #expect(numbers(in: row) == numbers(in: original), "\(vietnamese): \(row)")
    }
  }

  @Test(arguments: pages)
  func `a translation links to the same files`(english: String, vietnamese: String) throws {
    let expected = try targets(of: english)
    #expect(!expected.isEmpty)
    #expect(try targets(of: vietnamese) == expected, "\(vietnamese)")
  }

  /// A decomposed letter looks the same, but searches and anchors miss it.
  @Test(arguments: pages.map(\.vietnamese))
  func `a translation has composed letters`(page: String) throws {
    for line in try text(of: page).components(separatedBy: "\n") {
      let composed = line.precomposedStringWithCanonicalMapping
      #expect(line.utf8.elementsEqual(composed.utf8), "\(page): \(line)")
    }
  }

  /// Returns the blocks between fences, each with the language after its first fence.
  private func code(of page: String) throws -> [String] {
    let parts = try text(of: page).components(separatedBy: "\n```")
    return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
  }

  /// Returns the lines that are not between fences.
  private func prose(of page: String) throws -> [String] {
    let parts = try text(of: page).components(separatedBy: "\n```")
    return parts.indices.filter { $0 % 2 == 0 }
      .flatMap { parts[$0].components(separatedBy: "\n") }
  }

  /// Returns the level of each heading.
  private func levels(of page: String) throws -> [Int] {
    try prose(of: page).filter { $0.hasPrefix("#") }.map { $0.prefix { $0 == "#" }.count }
  }

  /// Returns the rows of each table.
  private func tables(of page: String) throws -> [[String]] {
    try prose(of: page).split { !$0.hasPrefix("|") }.map { Array($0) }
  }

  private func numbers(in row: String) -> [String] {
    row.matches(of: /[0-9]+/).map { String($0.output) }
  }

  /// Returns the paths of the files to which a page links.
  ///
  /// The English page stands for each translation, and a link to the page itself is left out.
  private func targets(of page: String) throws -> Set<String> {
    let originals = Dictionary(
      uniqueKeysWithValues: Self.pages.map { (path(of: $0.vietnamese), path(of: $0.english)) })
    let folder = package.appending(path: page).deletingLastPathComponent()
    var targets: Set<String> = []
    for link in try prose(of: page).joined(separator: "\n")
      .matches(of: /(?:\]\(|src=")([^)#:"\s]+)[)#"]/)
    {
      let target = folder.appending(path: String(link.1)).standardized.path
      targets.insert(originals[target] ?? target)
    }
    targets.remove(originals[path(of: page)] ?? path(of: page))
    return targets
  }

  private func path(of page: String) -> String { package.appending(path: page).standardized.path }

  private func text(of page: String) throws -> String {
    try String(contentsOf: package.appending(path: page), encoding: .utf8)
  }
}
