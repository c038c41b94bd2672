import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// The README's code, compiled and run.
///
/// Each part between `README` marks equals the README, except for white space. The view's code is from an app of
/// `Showcase/Apps`, which `make apple` compiles.
@Suite(.timeLimit(.minutes(1)))
struct ReadmeTests {
  // README
  nonisolated struct Dog: Decodable, Equatable, Sendable { let name: String }
  nonisolated enum Kennel {  // an endpoint knows the type of its response
    static func dogs(_ name: String) -> Request<[Dog]> { .get("/dogs", query: ["name": name]) }
  }
  // END

  nonisolated struct User: Decodable, Sendable { let login: String }

  @Test func `first example compiles`() {
    // README
    let kennel = Client(baseURL: "https://kennel.example")  // limits, redirects, typed errors
    let screen = Search<Dog> { text in try await kennel.send(Kennel.dogs(text)) }
    let model = ScreenModel(screen)  // @Observable: debounced, latest wins
    model.send(.term("shiba"))
    // END
    #expect(model.state.text == "shiba")
  }

  private func log(in name: String) async {
    // README
    let github = Client(baseURL: "https://api.github.com") {
      $0.middleware = [.retrying(), .bearer("token")]
      $0.cache = .memory()
    }
    do {
      let user: User = try await github.send(.get("/users/\(name)"))  // the name is percent-encoded
      print(user.login)
    } catch {  // a Client.Error: send throws nothing else
      print(error.localizedDescription, error.isRetryable ? "Try again." : "")
    }
    // END
  }

  @Test func `last example runs`() {
    // README
    let responses = PendingResponses<String, [Dog]>()
    let probe = ScreenProbe(Search<Dog> { try await responses.next(for: $0) })
    probe.send(.term("shiba"))
    probe.advance(by: .milliseconds(500))
    responses.reply(.success([Dog(name: "Shiba Inu")]))
    probe.settle()
    #expect(probe.state.items.count == 1)
    // END
  }

  @Test func `readme holds the code that is compiled here`() throws {
    let known = Set(try lines(of: "README.md"))
    let quoted = try quoted()
    #expect(quoted.count > 20)
    for line in quoted { #expect(known.contains(line), "README.md lacks: \(line)") }
  }

  @Test func `readme holds no other code`() throws {
    let blocks = try text(of: "README.md").components(separatedBy: "\n```swift\n").dropFirst()
    let app = try lines(of: "Showcase/Apps/OneFile/TopMovies.swift")
    let compiled = Set(try quoted() + app)
    for block in blocks.map({ $0.components(separatedBy: "\n```")[0] }) {
      for line in block.split(separator: "\n").map(words) where !isDeclaration(line) {
        #expect(compiled.contains(line), "README.md has code that is not compiled: \(line)")
      }
    }
  }

  @Test func `readme is short and begins with code`() throws {
    let lines = try text(of: "README.md").components(separatedBy: "\n")
    #expect(lines.count - 1 <= 130)
    #expect(lines.prefix(15).contains("```swift"))
  }

  /// Whether a line imports a module, or belongs in a manifest.
  private func isDeclaration(_ line: String) -> Bool {
    ["import ", ".package(", ".product(", "// In "].contains { line.hasPrefix($0) }
  }

  /// Returns the lines between this file's marks.
  private func quoted() throws -> [String] {
    let lines = try lines(of: "Tests/PagesTests/ReadmeTests.swift")
    return lines.split { $0 == "// README" }.dropFirst().flatMap { $0.prefix { $0 != "// END" } }
  }

  private func lines(of path: String) throws -> [String] {
    try text(of: path).split(separator: "\n").map(words)
  }

  private func text(of path: String) throws -> String {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardized
    return try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  private func words(_ line: Substring) -> String {
    line.split(separator: " ").joined(separator: " ")
  }
}
