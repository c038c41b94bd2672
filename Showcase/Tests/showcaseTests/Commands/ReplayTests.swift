import Curlew
import CurlewRecording
import Foundation
import Testing

/// `--replay`: responses come from a recording.
@Suite(.timeLimit(.minutes(1)))
struct ReplayTests {
  /// A recording of a renamed repository with two issues, one of them with a hostile title.
  static let recording = #"""
    {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [
      {"request": {"method": "GET", "url": "https://api.github.com/repos/old/name"},
       "response": {"status": 301, "redirectURL": "https://api.github.com/repositories/1"}},
      {"request": {"method": "GET", "url": "https://api.github.com/repositories/1"},
       "response": {"status": 200, "content": {"text": "{\"full_name\": \"new/name\"}"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/new/name/issues?page=1"},
       "response": {"status": 200, "content": {"text": "[{\"number\": 2, \"comments\": 0, \"labels\": [], \"user\": null, \"created_at\": \"2026-01-31T12:00:00Z\", \"title\": \"evil \\u001b]0;owned\\u0007 \\u009b31m \\u202e title\"}, {\"number\": 1, \"comments\": 3, \"labels\": [], \"user\": {\"login\": \"ada\"}, \"created_at\": \"2026-01-31T12:00:00Z\", \"title\": \"fine\"}]"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/busy/one"},
       "response": {"status": 200, "content": {"text": "{\"full_name\": \"busy/one\"}"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/busy/one/issues"},
       "response": {"status": 200, "headers": [{"name": "Link", "value": "<https://api.github.com/2?page=2>; rel=\"next\""}], "content": {"text": "[]"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/odd/one"},
       "response": {"status": 200, "content": {"text": "{\"full_name\": 7}"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/odd/two"},
       "response": {"status": 200, "content": {"text": "{\"full_name\": \"nonsense\"}"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/odd/three"},
       "response": {"status": 200, "content": {"text": "{\"full_name\": \"od"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/odd/four"},
       "response": {"status": 200, "content": {"text": "<html><title>Sign in</title>"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/long/list"},
       "response": {"status": 200, "content": {"text": "{\"full_name\": \"long/list\", \"open_issues_count\": 150}"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/long/list/issues?state=open"},
       "response": {"status": 200, "headers": [{"name": "Link", "value": "<https://api.github.com/repos/long/list/issues?page=2>; rel=\"next\""}], "content": {"text": "[{\"number\": 1, \"comments\": 3, \"labels\": [], \"user\": {\"login\": \"ada\"}, \"created_at\": \"2026-01-31T12:00:00Z\", \"title\": \"fine\"}]"}}},
      {"request": {"method": "GET", "url": "https://api.github.com/repos/private/one"},
       "response": {"status": 401, "content": {"text": "{\"message\": \"Bad credentials\"}"}}}
    ]}}
    """#

  /// The note that is printed once if the recording of another query is used.
  static let nearest =
    "Some requests are not recorded: the most similar recordings of the same path are used.\n"

  func issues(_ name: String, _ options: String...) async throws -> Command.Outcome {
    try await Command.withFile(Self.recording) { path in
      try await Command.run(["issues", name, "--replay", path] + options)
    }
  }

  @Test func `recording responds and its redirect is followed`() async throws {
    let outcome = try await issues("old/name")
    #expect(outcome.status == 0)
    #expect(outcome.error == Self.nearest)
    #expect(outcome.output.contains(/\#1 +fine +ada +.* ago +3\n/))
  }

  @Test func `what else ran on this machine does not matter`() async throws {
    let other =
      #"{"request": {"method": "GET", "url": "http://127.0.0.1:3000/x"}, "response": {"status": 200}},"#
    let recording = Self.recording.replacing("\"entries\": [", with: "\"entries\": [" + other)
    let outcome = try await Command.withFile(recording) { path in
      try await Command.run("issues", "old/name", "--replay", path)
    }
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  @Test(arguments: [[], ["--json"]])
  func `what steers a terminal never reaches it`(options: [String]) async throws {
    let outcome = try await Command.withFile(Self.recording) { path in
      try await Command.run(["issues", "old/name", "--replay", path] + options)
    }
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("owned"))
    for scalar in ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"] as [Unicode.Scalar] {
      #expect(!outcome.output.unicodeScalars.contains(scalar), "\(scalar.value)")
    }
  }

  @Test func `json keeps the title as it is`() async throws {
    struct Document: Decodable {
      let title: String
      let repository: String
    }
    let outcome = try await issues("old/name", "--json")
    let issues = try JSONDecoder().decode([Document].self, from: Data(outcome.output.utf8))
    #expect(issues.first?.title == "evil \u{1B}]0;owned\u{7} \u{9B}31m \u{202E} title")
    #expect(issues.first?.repository == "new/name")
  }

  @Test func `request that is not recorded names itself and some that are`() async throws {
    let outcome = try await issues("new/name", "--verbose")
    #expect(outcome.error.contains("GET https://api.github.com/repos/new/name"))
    #expect(outcome.error.contains("recorded requests: GET https://api.github.com/"))
  }

  @Test(arguments: [
    (
      "odd/one",
      "expected RepositoryPayload, at full_name: Expected to decode String but found number instead."
    ),
    ("odd/two", "at full_name: expected owner/name, found"),
    ("odd/three", "not JSON at line 1, column 18: the text ends too early."),
  ])
  func `unreadable response is status65 and not a missing repository`(
    name: String, details: String
  ) async throws {
    for command in ["issues", "repository"] {
      let outcome = try await Command.withFile(Self.recording) { path in
        try await Command.run(command, name, "--replay", path, "--verbose")
      }
      #expect(outcome.status == 65)
      #expect(outcome.complaints.last == "Error: \(UserTexts.english.unreadable)")
      let lines = outcome.complaints.filter {
        $0.contains(#/^#\d+ .* s failed: /#)
          || $0.hasPrefix("GET https://api.github.com/repos/\(name): ")
      }
      #expect(lines.count == 1 && lines.first?.contains(details) == true, "\(outcome.error)")
    }
    #expect(try await issues(name).complaints.count == 1, "details are for --verbose")
  }

  @Test func `pages that are not recorded end the list with a note`() async throws {
    let end = Self.nearest + "The recording has no page 2. The list ends there.\n"
    let all = try await issues("long/list", "--all")
    #expect(all.status == 0)
    #expect(all.error == end)
    #expect(all.output.split(separator: "\n").count == 2)
    let second = try await issues("long/list", "--page", "2")
    #expect(second.status == 69)
    #expect(second.error == Self.nearest + "Error: The recording has no page 2.\n")
  }

  @Test func `verbose names the recording that was used`() async throws {
    let outcome = try await issues("long/list", "--verbose")
    #expect(
      outcome.error.contains(
        "page=1 is not recorded; used GET https://api.github.com/repos/long/list/issues?state=open")
    )
  }

  #if os(Linux)
    @Test func `reader that leaves early ends nothing under a shell`() async throws {
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let outcome = try await Command.withFile(Self.recording) { path in
        try await Command.run(
          ["issues", "old/name", "--replay", path], output: pipe.fileHandleForWriting,
          isShells: true)
      }
      #expect(outcome.isExit)
      #expect(outcome.status == 0)
      #expect(outcome.error == Self.nearest)
    }
  #endif

  @Test(
    arguments: [
      ("new/name", 69, "Error: The recording has no response to this request.\n"),
      ("private/one", 77, "Error: \(UserTexts.english.signIn)\n"),
      (
        "odd/four", 65,
        "Error: \(UserTexts.english.webPage)\n"
      ),
      (
        "busy/one", 1,
        nearest + "Error: Nothing found: page 1 of busy/one has only pull requests.\n"
      ),
    ] as [(String, Int32, String)])
  func `what can not be listed says why`(name: String, status: Int32, error: String) async throws {
    let outcome = try await issues(name)
    #expect(outcome.status == status)
    #expect(outcome.error == error)
  }

  @Test(arguments: ["", "{", "[]", #"{"log": {"entries": {"request": {}}}}"#])
  func `malformed recording is one line and status65`(text: String) async throws {
    try await Command.withFile(text) { path in
      for arguments in [["issues", "apple/swift", "--replay", path], ["--replay", path]] {
        let outcome = try await Command.run(arguments)
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.complaints.count == 1)
        #expect(outcome.error.contains("\(path) can't be read: "))
      }
    }
  }

  @Test(arguments: ["/nowhere/at all.har", "/"])
  func `missing recording is one line and status66`(path: String) async throws {
    let outcome = try await Command.run("issues", "apple/swift", "--replay", path)
    #expect(outcome.status == 66)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.hasPrefix("Error: \(path) can't be read: "))
  }
}
