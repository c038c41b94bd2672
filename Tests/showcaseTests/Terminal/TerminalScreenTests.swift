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

  @Test(arguments: ["limit 5", "country xx", "limit", "constructor"])
  func valueThatIsNoChoiceIsAnError(line: String) async throws {
    struct NoMovies: MovieStore {
      func topMovies(in country: String, limit: Int) -> Listing<StoreMovie> { Listing([]) }
    }
    let screen = TerminalScreen(TopMoviesPage(TopMovies(store: NoMovies()))) { _ in }
    let lines = AsyncThrowingStream<String, any Error> { continuation in
      continuation.yield("limit 10")
      continuation.yield(line)
      continuation.finish()
    }
    await #expect(throws: TerminalScreen<TopMoviesPage>.Unknown.self) {
      try await screen.play("/itunes", lines)
    }
  }
}
