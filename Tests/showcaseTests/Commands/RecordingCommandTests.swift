import Foundation
import Testing

/// Responses of real servers, printed.
@Suite(.timeLimit(.minutes(1)))
struct RecordingCommandTests {
  static func note(_ recording: Recording) -> Comment {
    "The recordings are not here: ../shared/recordings/\(recording.rawValue).har"
  }

  func replay(_ recording: Recording, _ arguments: String...) async throws -> Command.Outcome {
    try await Command.run(arguments + ["--replay", recording.file.path])
  }

  @Test(.enabled(if: Recording.gitHub.exists, note(.gitHub)))
  func realIssuesOfARenamedRepositoryArePrinted() async throws {
    let outcome = try await replay(.gitHub, "issues", "sigmavirus24/betamax")
    #expect(outcome.status == 0)
    #expect(outcome.error == ReplayTests.nearest)
    #expect(outcome.output.split(separator: "\n").count == 14)
    #expect(outcome.output.contains("#52  Make cassettes thread-safe "))
    let json = try await replay(.gitHub, "issues", "sigmavirus24/betamax", "--json")
    #expect(json.output.contains(#""repository" : "betamaxpy/betamax""#))
  }

  @Test(.enabled(if: Recording.gitHub.exists, note(.gitHub)))
  func realSearchForRepositoriesIsPrinted() async throws {
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

  @Test(.enabled(if: Recording.tmdb.exists, note(.tmdb)))
  func realMoviesArePrinted() async throws {
    let playing = try await replay(.tmdb, "movies", "now-playing", "--json")
    #expect(playing.status == 0)
    #expect(playing.output.contains(#""title" : "The Lion King""#))
    #expect(playing.output.contains(#""poster" : "https://image.tmdb.org/t/p/"#))
    let rated = try await replay(.tmdb, "movies", "top-rated")
    #expect(rated.output.contains("2016   4.1  Underworld: Blood Wars  "))
    let all = try await replay(.tmdb, "movies", "top-rated", "--all")
    #expect(all.output == rated.output, "only the first page is recorded")
  }

  @Test(.enabled(if: Recording.iTunes.exists, note(.iTunes)))
  func realTopMoviesArePrinted() async throws {
    let outcome = try await replay(.iTunes, "itunes")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 26)
    #expect(lines[1].contains(/^ 1  ZOOTOPIA +\d+\.\d\d USD +Release date: March 4, 2016 +\S+/))
  }

  @Test(.enabled(if: Recording.iTunes.exists, note(.iTunes)))
  func damagedEntryOfARecordingIsToldWithItsPlace() async throws {
    let recording = try String(contentsOf: Recording.iTunes.file, encoding: .utf8)
    // The recording is JSON within JSON: the third movie's name is damaged, as by hand.
    let damaged = recording.replacing(
      #"\"label\": \"10 Cloverfield Lane\""#, with: #"\"label\": 10"#)
    try #require(damaged != recording, "there is such an entry")
    let outcome = try await Command.withFile(damaged) { path in
      try await Command.run("itunes", "--replay", path)
    }
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 25)
    #expect(lines[3].hasPrefix(" 4  "), "the ranks stay")
    #expect(outcome.complaints.last == "1 entry could not be read and was left out.")
  }

  @Test(
    .enabled(if: Recording.iTunes.exists && Recording.tmdb.exists, note(.tmdb)))
  func severalRecordingsRespondTogether() async throws {
    let both = ["--replay", Recording.iTunes.file.path, "--replay", Recording.tmdb.file.path]
    for command in ["itunes", "movies"] {
      #expect(try await Command.run([command] + both).status == 0)
    }
  }
}
