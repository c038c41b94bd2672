import Foundation
import Sandbox
import Testing

/// The options of all commands: invalid values and their error messages.
@Suite(.timeLimit(.minutes(1)))
struct OptionTests {
  @Test(arguments: [
    (["--latenzy", "5"], "latenzy"),
    (["--live", "--replay", "a.har"], "--live and --replay can't be combined."),
    (
      ["--live", "--latency", "5"],
      "--latency is an option of the sandbox: it can't be combined with --live."
    ),
    (
      ["--replay", "a.har", "--failure-rate", "0.5"],
      "--failure-rate is an option of the sandbox: it can't be combined with --replay."
    ),
    (["--live", "--sandbox-port", "0"], "--sandbox-port is an option of the sandbox"),
    (["--sandbox-port", "65536"], "--sandbox-port must be between 0 and 65535, not 65536."),
    (["--sandbox-port", "-1"], "--sandbox-port must be between 0 and 65535, not -1."),
    (["--offline", "--no-cache"], "it can't be combined with --no-cache."),
    (
      ["--offline", "--latency", "5"],
      "--offline sends nothing: it can't be combined with --latency."
    ),
    (["--offline", "--replay", "a.har"], "--offline sends nothing"),
    (["--live", "--rate-limit", "5"], "--rate-limit is an option of the sandbox"),
    (["--live", "--search-rate-limit", "5"], "--search-rate-limit is an option of the sandbox"),
    (["--live", "--rate-window", "5"], "--rate-window is an option of the sandbox"),
    (["--live", "--incomplete"], "--incomplete is an option of the sandbox"),
    (["--live", "--damaged-entries", "5"], "--damaged-entries is an option of the sandbox"),
    (["--search-rate-limit=-1"], "--search-rate-limit must be 0 or more, not -1."),
    (["--damaged-entries", "-1"], "--damaged-entries must be 0 or more, not -1."),
    (["--page", "0"], "--page must be between 1 and 1000000, not 0."),
    (["--page", "-3"], "--page must be between 1 and 1000000, not -3."),
    (["--page", "2", "--all"], "--page and --all can't be combined."),
    (["--tmdb-key", ""], "--tmdb-key must be a key of visible ASCII characters."),
    (["--latency=-1"], "--latency must be between 0 and"),
    (["--latency=99999999999"], "--latency must be between 0 and"),
    (["--latency", "soon"], "'soon'"),
    (["--failure-rate", "1.1"], "--failure-rate must be between 0 and 1, not 1.1."),
    (["--failure-rate", "nan"], "--failure-rate must be between 0 and 1, not nan."),
    (["--failure-rate", "inf"], "--failure-rate must be between 0 and 1, not inf."),
    (["--failure-rate=-0.1"], "--failure-rate must be between 0 and 1, not -0.1."),
    (["--rate-limit=-1"], "--rate-limit must be 0 or more, not -1."),
    (["--rate-window", "0"], "--rate-window must be between 1 and 86400 s (a day), not 0."),
    (
      ["--rate-window", "86401"], "--rate-window must be between 1 and 86400 s (a day), not 86401."
    ),
    (["--replay", ""], "--replay needs a file name."),
    (["apple/cups"], "apple/cups"),
  ])
  func `bad option is one line and status64`(options: [String], line: String) async throws {
    let outcome = try await Command.run(["issues", "apple/swift"] + options)
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.hasPrefix("Error: "))
    #expect(outcome.error.contains(line), "\(outcome.error)")
  }

  @Test func `busy port is one line and status69`() async throws {
    let sandbox = try await Sandbox.start(port: 0)
    let port = try #require(URL(string: sandbox.baseURL)?.port)
    let outcome = try await Command.run("--port", "\(port)", "--sandbox-port", "0")
    #expect(outcome.status == 69)
    #expect(outcome.output == "")
    #expect(outcome.error == "Error: Port \(port) is in use. Choose another with --port.\n")
    await sandbox.stop()
  }

  @Test func `taken sandbox port is one line and status69`() async throws {
    let sandbox = try await Sandbox.start(port: 0)
    let port = try #require(URL(string: sandbox.baseURL)?.port)
    let outcome = try await Command.run("issues", "apple/cups", "--sandbox-port", "\(port)")
    #expect(outcome.status == 69)
    #expect(outcome.output == "" && outcome.complaints.count == 1)
    #expect(outcome.error.contains("Choose another port with --sandbox-port."))
    await sandbox.stop()
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1 is not an address of this machine."),
    ("not a host", "There is no host not a host."),
  ])
  func `impossible host is one line and status69`(host: String, line: String) async throws {
    let outcome = try await Command.run("--host", host, "--port", "0", "--sandbox-port", "0")
    #expect(outcome.status == 69)
    #expect(outcome.error == "Error: \(line) Choose another with --host.\n")
  }

  @Test(arguments: [
    (["--help"], ["showcase issues apple/swift", "serve (default)", "issues"]),
    (["--help"], ["showcase repositories swift --all", "showcase repository apple/swift"]),
    (["--help"], ["showcase movies top-rated", "showcase itunes", "showcase dogs gre --json"]),
    (["help", "serve"], ["--host", "--port", "--live", "--replay", "8080", "127.0.0.1"]),
    (
      ["serve", "--help"],
      [
        "--sandbox-port", "\(Sandbox.usualPort)", "--latency", "--failure-rate", "--rate-limit",
        "--tmdb-key",
      ]
    ),
    (["issues", "--help"], ["--json", "--all", "EXIT STATUS", "65  bad data", "-v, --verbose"]),
    (["repositories", "--help"], ["--search-rate-limit", "--incomplete", "--all"]),
    (["repository", "--help"], ["--json", "owner/name"]),
    (
      ["movies", "--help"], ["now-playing", "en-US", "TMDB_API_KEY", "themoviedb.org/settings/api"]
    ),
    (["itunes", "--help"], ["--country", "--limit", "--damaged-entries"]),
    (["dogs", "--help"], ["<text>", "--json"]),
  ])
  func `help goes to standard output`(arguments: [String], words: [String]) async throws {
    let outcome = try await Command.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    for word in words { #expect(outcome.output.contains(word), "\(outcome.output)") }
  }

  @Test func `version is printed`() async throws {
    let outcome = try await Command.succeed("--version")
    #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }
}
