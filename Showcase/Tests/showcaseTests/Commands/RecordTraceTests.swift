import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// `--record-trace`: the file, as a test.
@Suite(.timeLimit(.minutes(2)))
struct RecordTraceTests {
  @Test func `a screen is recorded with its events and results`() async throws {
    try await Command.withFile("") { path in
      let outcome = try await Command.run(
        ["screen", "dogs", "--record-trace", path], input: "term shiba\nsubmit\n")
      #expect(outcome.status == 0 && outcome.output.contains("1 result"))
      let test = try Trace(URL(filePath: path)).swiftTest()
      for line in [
        "import Domain", #"probe.send(.term("shiba"))"#, "probe.send(.submit)",
        "let searchResponses = PendingResponses<Void, [Dog]>()",
        "try searchResponses.reply(.success(decoded(", #"results.content[0].name: "Shiba Inu""#,
      ] { #expect(test.contains(line), "\(line) in \(test)") }
    }
  }

  @Test(.enabled(if: Command.canBeShells))
  func `a server writes its trace when it is stopped`() async throws {
    try await Command.withFile("") { path in
      let (outcome, _) = try await Command.interrupted(
        "serve", "--port", "0", "--record-trace", path)
      #expect(outcome.isExit && outcome.status == 0)
      #expect(try Trace(URL(filePath: path)).swiftTest().contains("import CurlewTesting"))
    }
  }

  @Test func `a file that can't be written is named`() async throws {
    let outcome = try await Command.run("screen", "dogs", "--record-trace", "/nowhere/trace.json")
    #expect(outcome.status == 74 && outcome.error.contains("/nowhere/trace.json can't be written"))
  }
}
