import Foundation
import Testing

@testable import showcase

/// What a failure says to whoever shows it.
@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
  @Test func pagesShowTheSameSentenceAsTheTerminal() {
    let error: any Error = Failure("TMDB needs a key.", status: .notAllowed)
    #expect(error.localizedDescription == "TMDB needs a key.")
  }
}
