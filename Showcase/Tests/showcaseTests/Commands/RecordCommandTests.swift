import Foundation
import ShowcaseTestSupport
import Testing

/// `--record`: the content of a recording, and its replay.
@Suite(.timeLimit(.minutes(2)))
struct RecordCommandTests {
  /// Runs a command while recording and again while replaying; returns both outcomes and the
  /// recording.
  private func recorded(
    _ command: [String], _ options: [String] = [], input: String = ""
  ) async throws -> (live: Command.Outcome, replayed: Command.Outcome, file: Data) {
    try await Command.withFile("") { path in
      let live = try await Command.run(command + options + ["--record", path], input: input)
      let file = try Data(contentsOf: URL(filePath: path))
      let replayed = try await Command.run(command + ["--replay", path], input: input)
      return (live, replayed, file)
    }
  }

  @Test(arguments: [
    ["issues", "apple/swift"], ["repositories", "rust", "--all", "--json"],
    ["movies", "top-rated", "--page", "2"], ["itunes", "--json"], ["repository", "apple/swift"],
    ["watch", "apple/swift", "--count", "3"], ["issues", "nobody/nothing"],
  ])
  func `a recording replays to the same output`(command: [String]) async throws {
    let (live, replayed, file) = try await recorded(command)
    #expect(!live.output.isEmpty || !live.error.isEmpty)
    #expect(replayed.output == live.output)
    #expect(replayed.error == live.error)
    #expect(replayed.status == live.status)
    let check = HARChecker(file)
    #expect(check.problems == [] && check.contradictions == [])
  }

  @Test func `what was retried is retried again`() async throws {
    let (live, replayed, _) = try await recorded(
      ["repositories", "rust", "--all"], ["--failure-rate", "0.3"])
    #expect(replayed.output == live.output)
    #expect(replayed.status == live.status)
  }

  @Test func `a recorded stream ends where its recording ends`() async throws {
    try await Command.withFile("") { path in
      let live = try await Command.run(
        "watch", "apple/swift", "--count", "2", "--record", path)
      let replayed = try await Command.succeed("watch", "apple/swift", "--replay", path)
      #expect(replayed.output.hasPrefix(live.output))
    }
  }

  @Test func `a screen replays with its events`() async throws {
    let (live, replayed, _) = try await recorded(
      ["screen", "issues"], input: "term apple/swift\nsubmit\n")
    #expect(live.status == 0 && live.output.contains("apple/swift"))
    #expect(replayed.output == live.output)
  }

  @Test func `no secret is recorded`() async throws {
    let (live, _, file) = try await recorded(["movies"], ["--tmdb-key", "open-sesame-42"])
    #expect(live.status == 77)
    let text = String(decoding: file, as: UTF8.self)
    #expect(text.contains("api_key=***"))
    #expect(!text.contains("sesame"))
  }

  @Test(.enabled(if: Command.canBeShells))
  func `a recording is written when the program is stopped`() async throws {
    try await Command.withFile("") { path in
      let (outcome, _) = try await Command.interrupted("watch", "apple/swift", "--record", path)
      #expect(outcome.isExit && outcome.status == 130)
      let file = try Data(contentsOf: URL(filePath: path))
      #expect(HARChecker(file).problems == [])
      #expect(String(decoding: file, as: UTF8.self).contains("text/event-stream"))
    }
  }

  @Test func `a link is followed and a device is left alone`() async throws {
    try await Command.withFile("") { path in
      let link = path + ".link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      defer { try? FileManager.default.removeItem(atPath: link) }
      #expect(try await Command.run("itunes", "--record", link).status == 0)
      #expect(HARChecker(try Data(contentsOf: URL(filePath: path))).problems == [])
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path)
    }
    let device = try await Command.run("itunes", "--record", "/dev/null")
    #expect(device.status == 74)
    #expect(device.error == "Error: /dev/null can't be written: it is not a regular file.\n")
  }

  @Test func `two recordings of the sandbox are comparable`() async throws {
    try await Command.withFile("") { one in
      try await Command.withFile("") { two in
        for path in [one, two] { _ = try await Command.run("itunes", "--record", path) }
        try await Command.succeed("drift", one, two)
      }
    }
  }
}
