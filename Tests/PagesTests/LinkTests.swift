import Foundation
import Testing

/// The relative links of all pages; SECURITY.md links to the code and the tests of each defence.
@Suite(.timeLimit(.minutes(1)))
struct LinkTests {
  private let package = URL(filePath: #filePath).appending(path: "../../..").standardized

  @Test func `each relative link leads to a file and a heading`() throws {
    let folders = [".", "Documentation", "Documentation/Contributing", "Showcase", "Showcase/Apps"]
    for folder in try folders.map({ package.appending(path: $0).standardized })
      + DocumentationTests.catalogs()
    {
      try checkLinks(in: folder)
    }
  }

  private func checkLinks(in folder: URL) throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }
    #expect(!pages.isEmpty)
    for page in pages {
      let file = folder.appending(path: page)
      let text = try String(contentsOf: file, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#:\s]*)(#[^)]*)?\)/) {
        let path = String(link.1)
        let target = path.isEmpty ? file : folder.appending(path: path).standardized
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(path)")
        guard let anchor = link.2, target.pathExtension == "md" else { continue }
        let names = try headings(of: target)
        #expect(names.contains(String(anchor.dropFirst())), "\(page): \(path)\(anchor)")
      }
    }
  }

  /// Returns the link names of a page's headings, as GitHub generates them.
  private func headings(of page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("#") }
      .map { line in
        line.drop { $0 == "#" }.dropFirst().lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
      }
  }
}
