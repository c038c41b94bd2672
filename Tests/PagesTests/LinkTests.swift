import Foundation
import Testing

/// The relative links of the pages, of which SECURITY.md names the code and the tests of each defence.
@Suite(.timeLimit(.minutes(1)))
struct LinkTests {
  @Test(arguments: [
    "README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md",
    "Documentation/Live.md", "Documentation/Middlewares.md", "Documentation/Observability.md",
    "Documentation/Contributing/Traps.md", "Showcase/README.md",
  ])
  func `each relative link leads to a file`(page: String) throws {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardized
    let file = package.appending(path: page)
    let text = try String(contentsOf: file, encoding: .utf8)
    for link in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
      let target = file.deletingLastPathComponent().appending(path: String(link.1)).standardized
      #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link.1)")
    }
  }
}
