import CurlewLive
import Foundation
import Sandbox
import Testing
import showcase

/// The inspector's information about the showcase's code and server.
@Suite(.timeLimit(.minutes(1)))
struct SourceLinesTests {
  @Test func `each line that the inspector shows is in the sources`() throws {
    let showcase = URL(filePath: #filePath).appending(path: "../../..").standardized
    let code = try ["Application", "Platform", "showcase"].flatMap { folder in
      let files = FileManager.default.enumerator(
        at: showcase.appending(path: folder), includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? [])
        .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "SourceLines.swift" }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
    #expect(code.count > 100)
    #expect(sourceLines.count == 6)
    for (term, line) in sourceLines {
      #expect(code.contains { $0.contains(line) }, "\(term): \(line)")
    }
  }

  /// Each term is one of the terms in the inspector's sentences.
  @Test func `each term is shown`() throws {
    let script = try String(
      contentsOf: URL(filePath: #filePath).appending(
        path: "../../../../Sources/CurlewLive/Inspector/Assets/inspector-sentences.js"
      ).standardized, encoding: .utf8)
    for term in sourceLines.keys { #expect(script.contains("\"\(term)\""), "\(term)") }
  }
}
