import Curlew
import Testing

/// Failing commands: no standard output, one line of standard error, and an exit status.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
  @Test(
    arguments: [
      (["issues", "nobody/nothing"], 1, "Nothing found: there is no repository nobody/nothing."),
      (
        ["issues", "pebbleworks/blank-page"], 1,
        "Nothing found: pebbleworks/blank-page has no open issues."
      ),
      (
        ["issues", "apple/cups", "--page", "9"], 1,
        "Nothing found: apple/cups has no open issues on page 9."
      ),
      (["repositories", "brainfuck"], 1, "Nothing found: no repository is written in brainfuck."),
      (
        ["repository", "nobody/nothing"], 1, "Nothing found: there is no repository nobody/nothing."
      ),
      (["movie", "1"], 1, "Nothing found: there is no movie 1."),
      (
        ["movies", "--page", "400"], 1,
        "Nothing found: no movie is listed as now-playing on page 400."
      ),
      (["dogs", "cat"], 1, "Nothing found: no dog's name begins with 'cat'."),
      (["movies", "--page", "501"], 64, UserTexts.english.notAccepted),
      (
        ["movies", "--tmdb-key", "open sesame"], 64,
        "--tmdb-key must be a key of visible ASCII characters."
      ),
      (
        ["movies", "--tmdb-key", "sésame"], 64,
        "--tmdb-key must be a key of visible ASCII characters."
      ),
      // The first response reports that no requests are left, so no further request is sent.
      (
        ["issues", "apple/swift", "--rate-limit", "1"], 75,
        "\(UserTexts.english.rateLimited) \(UserTexts.english.tryAgain(.init(after: .seconds(3600))))"
      ),
      (
        ["issues", "apple/swift", "--rate-limit", "0", "--rate-window", "90"], 75,
        "\(UserTexts.english.tooManyRequests) \(UserTexts.english.tryAgain(.init(after: .seconds(90))))"
      ),
      (
        ["issues", "apple/swift", "--failure-rate", "1"], 69,
        "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment))"
      ),
    ] as [([String], Int32, String)])
  func `refusal is a line and a status`(command: [String], status: Int32, line: String) async throws
  {
    let outcome = try await Command.run(command)
    #expect(outcome.status == status)
    #expect(outcome.output == "")
    #expect(outcome.error == "Error: \(line)\n")
  }

  @Test(arguments: ["app", "apple/", "", "../..", "apple/swift\u{1B}[31m"])
  func `text that is no name says what to type`(text: String) async throws {
    let line = "Type a repository as owner/name, for example apple/swift."
    try await `refusal is a line and a status`(command: ["issues", text], status: 64, line: line)
  }

  /// The error messages of these commands are longer.
  @Test(
    arguments: [
      (["repositories", "javascript", "--page", "101"], 64, ""),
      (["itunes", "--damaged-entries", "25"], 65, ""),
      (
        ["issues", "apple/swift", "--record", "/nowhere/x.har"], 74,
        "Error: /nowhere/x.har can't be written"
      ),
      (
        ["issues", "a/b", "--record", "x", "--replay", "y"], 64,
        "--record and --replay can't be combined"
      ),
      (["drift", "a.har"], 64, "Pass a second recording, or --live."),
      (
        ["drift", "a.har", "b.har", "--live"], 64, "--live and a second recording can't be combined"
      ),
      (["drift", "a.har", "b.har", "--tmdb-key", "x"], 64, "--tmdb-key requires --live."),
      (
        ["drift", "a.har", "--live", "--tmdb-key", ""], 64,
        "--tmdb-key must be a key of visible ASCII characters."
      ),
      (["drift"], 64, "old.har"),
      (["--port", "65536"], 64, "--port must be between 0 and 65535, not 65536."),
      (["--port=-1"], 64, "--port must be between 0 and 65535, not -1."),
      (["--port", "-1"], 64, "--port must be between 0 and 65535, not -1."),
      (
        ["--json", "issues", "apple/swift"], 64,
        "options follow it, as in 'showcase issues … --json'"
      ),
      (
        ["--latency", "5", "issues", "apple/swift"], 64, "--latency comes before the subcommand"
      ),
      (
        ["a.har", "--live"], 64,
        "There is no subcommand 'a.har'; the subcommands are serve, issues, open, repositories,"
      ),
      (["--port", "http"], 64, "'http'"), (["--host", ""], 64, "--host needs an address."),
      (["isues"], 64, "isues"), (["--prt", "1"], 64, "--port"),
      (["repositories", " "], 64, "Type a language, for example swift."),
      (["repository", "swift"], 64, "Type a repository as owner/name, for example apple/swift."),
      (["movies", "worst"], 64, "'worst'"),
      (
        ["movies", "--language", "english!"], 64,
        "--language must be a code such as en-US, not 'english!'."
      ),
      (["itunes", "--country", "usa"], 64, "--country must be two letters such as us, not 'usa'."),
      (["itunes", "--limit", "0"], 64, "--limit must be between 1 and 100, not 0."),
      (["itunes", "--page", "2"], 64, "--page"),
      (["dogs", ""], 64, "Type the beginning of a dog's name, for example gre."),
      (["dogs"], 64, "<text>"),
    ] as [([String], Int32, String)])
  func `what can not be done is said in one line`(
    command: [String], status: Int32, words: String
  ) async throws {
    let outcome = try await Command.run(command)
    #expect(outcome.status == status)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(words.isEmpty || outcome.error.contains(words), "\(outcome.error)")
  }

  @Test(arguments: [
    ("issues", "nobody/nothing", "[]\n"), ("repositories", "brainfuck", "[]\n"),
    ("repository", "nobody/nothing", "null\n"),
  ])
  func `nothing found is empty in JSON`(command: String, name: String, json: String) async throws {
    let outcome = try await Command.run(command, name, "--json")
    #expect(outcome.status == 1)
    #expect(outcome.output == json)
    #expect(outcome.complaints.count == 1)
  }

  @Test(arguments: [("GITHUB_TOKEN", "issues", "token"), ("TMDB_API_KEY", "movies", "key")])
  func `malformed secret is never quoted`(name: String, command: String, noun: String) async throws
  {
    let outcome = try await Command.run(
      [command] + (command == "issues" ? ["apple/swift"] : []) + ["--live"],
      environment: [name: "open\nsesame"])
    #expect(outcome.status == 64)
    #expect(outcome.error == "Error: \(name) must be a \(noun) of visible ASCII characters.\n")
  }
}
