import Foundation
import Testing
import showcase

/// The text of a failure.
@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
  @Test func `failure is one line`() {
    let failure = Failure("one\ntwo\u{1B}", status: .usage)
    #expect(failure.description == "one two\u{FFFD}")
    #expect((failure as any Error).localizedDescription == failure.description, "as on pages")
  }
}
