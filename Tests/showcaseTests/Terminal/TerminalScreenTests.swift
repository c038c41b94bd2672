import Application
import CurlewLive
import CurlewScreens
import Domain
import Testing

@testable import showcase

/// A screen in a terminal, played line by line.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TerminalScreenTests {
  /// Each line waits until the screen rests, also where its work ends with the same state.
  @Test func lineThatChangesNothingDoesNotHang() async throws {
    let page = DogsPage(DogSearch(debounce: .zero) { _ in [] })
    var written: [String] = []
    let screen = TerminalScreen(page) { written.append($0) }
    let lines = AsyncThrowingStream<String, any Error> { continuation in
      for line in ["term cat", "term cat", "retry"] { continuation.yield(line) }
      continuation.finish()
    }
    try await screen.play("/dogs", lines)
    #expect(written.last == "Nothing found for cat.")
  }
}
