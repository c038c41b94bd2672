import Foundation
import Testing

/// The pages' code equals the code that is compiled and run in this folder.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
  /// The pages that contain code, and the files with their code.
  nonisolated private static let pages: [(page: String, files: [String])] = [
    ("Curlew.md", ["ReadmeTests.swift"]), ("CurlewScreens.md", ["ReadmeTests.swift"]),
    ("Endpoints.md", ["EndpointsPageTests.swift", "EndpointsPageTests+Errors.swift"]),
    ("Middlewares.md", ["MiddlewaresPageTests.swift"]),
    ("CurlewDigest.md", ["DigestPageTests.swift"]),
    ("Caching.md", ["CachingPageTests.swift"]),
    ("Recipes.md", ["RequestRecipesTests.swift", "ScreenRecipesTests.swift"]),
    ("SignIn.md", ["SignInRecipe.swift"]),
    ("FromMoya.md", ["FromMoyaPageTests.swift"]),
    ("FromAlamofire.md", ["FromAlamofirePageTests.swift"]),
    ("FromURLSession.md", ["FromURLSessionPageTests.swift"]),
    ("FromTCA.md", ["FromTCAPageTests.swift"]),
    (
      "CurlewSwiftUI.md",
      [
        "OneFile/TopMovies", "OneFile/Dogs", "OneFile/Repositories", "OneFile/Background",
        "UIKit/IssuesViewController", "UIKit/AppTabs",
      ]
      .map { "../../Showcase/Apps/\($0).swift" }
    ),
    ("CurlewUIKit.md", ["../../Showcase/Apps/OneFile/Dogs.swift"]),
    (
      "CurlewLive.md",
      [
        "../CurlewLiveTests/LiveDocumentationTests.swift",
        "../CurlewLiveTestingTests/DraftTests.swift",
      ]
    ),
    ("CurlewLiveTesting.md", ["../CurlewLiveTestingTests/DocumentationTests.swift"]),
    ("CurlewFleet.md", ["FleetPageTests.swift"]),
    ("CurlewStore.md", ["StorePageTests.swift"]),
    ("CurlewJSON.md", ["JSONPageTests.swift"]),
    ("CurlewObservability.md", ["ObservabilityPageTests.swift"]),
    ("Extending.md", ["ExtendingPageTests.swift"]),
    ("Transports.md", ["TransportsPageTests.swift"]), ("Streams.md", ["StreamsPageTests.swift"]),
    ("CurlewTesting.md", ["TestingPageTests.swift"]),
    ("Exploring.md", ["ExploringPageTests.swift"]),
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
  ]

  @Test(arguments: pages)
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

  @Test func `each page with code is compiled`() throws {
    let pages = try Self.catalogs().flatMap { catalog in
      try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
    }.filter { $0.pathExtension == "md" }
    #expect(pages.count > 20)
    let known = Set(Self.pages.map(\.page))
    for page in pages where try !blocks(of: String(contentsOf: page, encoding: .utf8)).isEmpty {
      #expect(known.contains(page.lastPathComponent))
    }
  }

  /// The last steps are compiled here (`Tutorial`), and all other steps by `make apple`.
  @Test func `the tutorials first tests are part of its last tests`() throws {
    let last = lines(of: try Self.page("Resources/SongSearchTests-2.swift"))
    let first = lines(of: try Self.page("Resources/SongSearchTests-1.swift"))
    #expect(!first.isEmpty && first.count < last.count)
    var rest = last[...]
    for line in first {
      let index = try #require(rest.firstIndex(of: line), "The last step lacks: \(line)")
      rest = rest[(index + 1)...]
    }
  }

  /// Returns the text of a page in any catalogue.
  static func page(_ name: String) throws -> String {
    let page = try catalogs().map { $0.appending(path: name) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    return try String(contentsOf: #require(page, "No catalogue has \(name)."), encoding: .utf8)
  }

  /// Returns the DocC catalogues; a target has at most one catalogue.
  static func catalogs() throws -> [URL] {
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
    return try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .map { sources.appending(path: "\($0)/\($0).docc") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Returns the Swift code between fences, block by block.
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
