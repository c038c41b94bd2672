import Foundation
import Testing

/// The pages' code is what is compiled and run beside this file.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
  @Test(arguments: [
    ("Endpoints.md", ["EndpointsPageTests.swift"]),
    ("Middlewares.md", ["MiddlewaresPageTests.swift"]),
    ("Digest.md", ["DigestPageTests.swift"]),
    ("Caching.md", ["CachingPageTests.swift"]),
    ("Recipes.md", ["RequestRecipesTests.swift", "ScreenRecipesTests.swift"]),
    ("FromMoya.md", ["FromMoyaPageTests.swift"]),
    ("FromAlamofire.md", ["FromAlamofirePageTests.swift"]),
    ("FromURLSession.md", ["FromURLSessionPageTests.swift"]),
    ("FromTCA.md", ["FromTCAPageTests.swift"]),
    (
      "SwiftUI.md",
      ["OneFile/TopMovies.swift", "OneFile/Repositories.swift", "UIKit/DogsViewController.swift"]
        .map { "../../Showcase/Apps/\($0)" }
    ),
    ("Live.md", ["../CurlewLiveTests/LiveDocumentationTests.swift"]),
    ("Store.md", ["StorePageTests.swift"]),
    ("JSON.md", ["JSONPageTests.swift"]),
    ("Observability.md", ["ObservabilityPageTests.swift"]),
    ("Transports.md", ["TransportsPageTests.swift"]), ("Streams.md", ["StreamsPageTests.swift"]),
    ("Testing.md", ["TestingPageTests.swift"]),
    (
      "FromTheTutorials.md",
      ["FromTheTutorialsPageTests.swift"]
        + ["IssueTracker", "TopMovies", "Dogs", "Repositories", "Movies"].map {
          "../../Showcase/Apps/OneFile/\($0).swift"
        }
    ),
    (
      "Screens.md",
      [
        "ScreensPageTests.swift", "Recipes/TimeRecipes.swift", "Recipes/LoadRecipes.swift",
        "Recipes/PartRecipes.swift", "Recipes/StoredRecipes.swift", "Recipes/FormRecipes.swift",
        "Recipes/LibraryRecipe.swift",
      ]
    ),
  ])
  func `a page holds only code that runs`(page: String, tests: [String]) throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try tests.flatMap { file in
      try lines(of: String(contentsOf: here.appending(path: file), encoding: .utf8))
    }
    let blocks = blocks(of: try Self.page(page))
    #expect(!blocks.isEmpty, "\(page) has lost its code.")
    for block in blocks {
      #expect(
        !block.isEmpty && code.indices.contains { code[$0...].starts(with: block) },
        "\(page): \(tests.joined(separator: ", ")) lacks the block that begins with: \(block.first ?? "nothing")"
      )
    }
  }

  /// The text of a page.
  static func page(_ name: String) throws -> String {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardized
    return try String(
      contentsOf: package.appending(path: "Documentation/\(name)"), encoding: .utf8)
  }

  /// The Swift code between fences, block by block.
  private func blocks(of page: String) -> [[String]] {
    page.components(separatedBy: "\n```swift\n").dropFirst().map { rest in
      lines(of: rest.components(separatedBy: "\n```")[0])
    }
  }

  private func lines(of text: String) -> [String] {
    text.components(separatedBy: .newlines).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
