import Testing

@Suite(.timeLimit(.minutes(2)))
struct OpenCommandTests {
  @Test func `an issue is opened in the sandbox`() async throws {
    let outcome = try await Command.succeed("open", "apple/cups", "Ink \u{1B}runs out")
    #expect(outcome.output.hasPrefix("#"))
    #expect(outcome.output.hasSuffix("runs out\nin apple/cups, by you\n"))
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test(arguments: [
    (["apple", "a"], "owner/name"), (["apple/cups", " "], "Enter a title."),
    (["apple/nothing", "a"], "There is no repository apple/nothing."),
    (["apple/cups", String(repeating: "a", count: 257)], "maximum is 256 characters"),
    (["apple/cups", "a", "--live"], "only in the sandbox"),
  ])
  func `what is wrong is said`(arguments: [String], message: String) async throws {
    let outcome = try await Command.run(["open"] + arguments)
    #expect(outcome.status != 0 && outcome.output == "")
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }
}
