import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// The README's code, compiled and run.
///
/// Each part between `README` marks stands there to the letter, but for its spaces; what needs
/// SwiftUI or another product is left out.
@Suite(.timeLimit(.minutes(1)))
struct ReadmeTests {
  // README
  nonisolated struct Dog: Decodable, Equatable, Sendable { let name: String }
  nonisolated enum Kennel {  // an endpoint knows the type of its response
    static func dogs(_ name: String) -> Request<[Dog]> { .get("/dogs", query: ["name": name]) }
  }
  // END

  nonisolated struct MoviePage: Decodable, Sendable {}

  // README
  nonisolated enum MovieList: String, Endpoint {
    case nowPlaying = "now_playing"
    case topRated = "top_rated"
    var request: Request<MoviePage> {
      .get("/3/movie/\(rawValue)", query: ["api_key": Sensitive("secret")])  // in no log or error
    }
  }
  // END

  @Test func `first example compiles`() {
    // README
    let kennel = Client(baseURL: "https://kennel.example")  // limits, redirects, typed errors
    let screen = Search<Dog> { text in try await kennel.send(Kennel.dogs(text)) }
    let model = ScreenModel(screen)  // @Observable: debounced, latest wins
    model.send(.term("shiba"))
    // END
    #expect(model.state.text == "shiba")
  }

  @Test func `secret of the second example is not shown`() {
    #expect(!"\(MovieList.topRated.request.query)".contains("secret"))
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
    let here = URL(filePath: #filePath)
    let readme = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "../../README.md"),
      encoding: .utf8)
    let known = Set(readme.split(separator: "\n").map(words))
    var isQuoted = false
    var quoted = 0
    for line in try String(contentsOf: here, encoding: .utf8).split(separator: "\n") {
      let text = words(line)
      if text == "// README" || text == "// END" {
        isQuoted = text == "// README"
      } else if isQuoted {
        #expect(known.contains(text), "README.md lacks: \(text)")
        quoted += 1
      }
    }
    #expect(quoted > 20)
  }

  private func words(_ line: Substring) -> String {
    line.split(separator: " ").joined(separator: " ")
  }
}
