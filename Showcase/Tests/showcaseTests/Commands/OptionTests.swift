import Foundation
import Sandbox
import Testing

/// The options of all commands: invalid values and their error messages.
@Suite(.timeLimit(.minutes(1)))
struct OptionTests {
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
