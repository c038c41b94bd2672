import Foundation
import Testing

/// Printed responses of the real servers.
@Suite(.timeLimit(.minutes(1)))
struct RecordingCommandTests {
  static func note(_ recording: Recording) -> Comment {
    "The recordings are not here: ../shared/recordings/\(recording.rawValue).har"
  }

  func replay(_ recording: Recording, _ arguments: String...) async throws -> Command.Outcome {
    try await Command.run(arguments + ["--replay", recording.file.path])
  }

  @Test(.enabled(if: Recording.gitHub.exists, note(.gitHub)))
  func `real issues of a renamed repository are printed`() async throws {
    let outcome = try await replay(.gitHub, "issues", "sigmavirus24/betamax")
    #expect(outcome.status == 0)
    #expect(outcome.error == ReplayTests.nearest)
    #expect(outcome.output.split(separator: "\n").count == 14)
    #expect(outcome.output.contains("#52  Make cassettes thread-safe "))
    let json = try await replay(.gitHub, "issues", "sigmavirus24/betamax", "--json")
    #expect(json.output.contains(#""repository" : "betamaxpy/betamax""#))
  }

  @Test(.enabled(if: Recording.gitHub.exists, note(.gitHub)))
  func `real search for repositories is printed`() async throws {
    for option in ["--page=1", "--all"] {
      let outcome = try await replay(.gitHub, "repositories", "python", option)
      #expect(outcome.status == 0)
      #expect(outcome.error == ReplayTests.nearest)
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == 9)
      #expect(lines[1].contains(#/ 63[78] +\d+  sigmavirus24\/github3.py +Python  /#))
    }
    let card = try await replay(.gitHub, "repository", "sigmavirus24/github3.py")
    #expect(card.output.contains(/Stars +7\d\d\n/) && card.output.contains(/Licence +\S/))
  }

  @Test(
    .enabled(if: Recording.iTunes.exists && Recording.tmdb.exists, note(.tmdb)))
  func `several recordings respond together`() async throws {
    let both = ["--replay", Recording.iTunes.file.path, "--replay", Recording.tmdb.file.path]
    for command in ["itunes", "movies"] {
      #expect(try await Command.run([command] + both).status == 0)
    }
  }
}
