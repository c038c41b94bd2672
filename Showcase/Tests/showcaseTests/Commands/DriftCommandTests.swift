import ArgumentParser
import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import Testing
import showcase

/// `showcase drift` in a script.
@Suite(.timeLimit(.minutes(1)))
struct DriftCommandTests {
  /// Returns a recording with one response for each path.
  private static func recording(_ bodies: [String: String]) -> String {
    let entries = bodies.map { path, body in
      let text = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return #"{"request": {"method": "GET", "url": "https://api.github.com\#(path)"}, "#
        + #""response": {"status": 200, "content": {"text": "\#(text)"}}}"#
    }
    return #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ", "))]}}"#
  }

  private func drift(
    _ old: String, _ new: String, _ options: String...
  ) async throws -> Command.Outcome {
    try await Command.withFile(old) { old in
      try await Command.withFile(new) { new in
        try await Command.run(["drift", old, new] + options)
      }
    }
  }

  private let old = Self.recording([
    "/users/ada": #"{"id": 1, "plan": {"name": "free"}}"#, "/zen": "{}",
  ])
  private let new = Self.recording([
    "/users/ada": #"{"id": "1", "\u001b]0;owned\u0007": null}"#, "/meta": "{}",
  ])

  @Test func `changes are printed and the status is1`() async throws {
    let outcome = try await drift(old, new)
    #expect(outcome.status == 1)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        GET api.github.com/users/ada
          ]0;owned: new (null)
          id: string, was integer
          plan: gone (object)
        Only in the old recording: GET api.github.com/zen
        Only in the new recording: GET api.github.com/meta

        """)
  }

  @Test func `no change is status 0`() async throws {
    let outcome = try await drift(old, old)
    #expect(outcome.status == 0)
    #expect(outcome.output == "No changes.\n" && outcome.error == "")
  }

  @Test func `changes are JSON for scripts`() async throws {
    let outcome = try await drift(old, new, "--json")
    #expect(outcome.status == 1)
    let report = try JSONDecoder().decode(DriftReport.self, from: Data(outcome.output.utf8))
    #expect(report.changes.map(\.codingPath).suffix(2) == ["id", "plan"])
    #expect(report.changes.last?.kind == .disappeared(types: [.object]))
    #expect(outcome.output.contains(#""disappeared" : {"#))
    #expect(report.endpointsOnlyInNew.map(\.path) == ["/meta"])
    #expect(try await drift(old, old, "--json").status == 0)
  }

  @Test func `what can not be compared is a sentence and a status`() async throws {
    let others = try await drift(old, Self.recording(["/other": "{}"]))
    #expect(others.status == 65)
    #expect(others.error == "Error: The recordings have no endpoint in common.\n")
    #expect(try await drift(old, "{").status == 65)
    let missing = try await Command.run("drift", "/no/such.har", "/no/other.har")
    #expect(missing.status == 66)
    #expect(missing.complaints.count == 1 && missing.output == "")
  }

  @Test func `requests are sent again by the client of their server`() async throws {
    let stub = StubTransport()
    let network = Network(transport: stub)
    let clients = [
      Client.gitHub("https://api.github.com", over: network, credentials: .bearer("secret")),
      Client.tmdb("https://api.themoviedb.org", over: network, key: Sensitive("new-key")),
    ]
    stub.stub(.get, "/users/ada", with: .json(#"{"id": "1", "plan": {}}"#))
    stub.stub(.get, "/3/movie/1", with: .status(.tooManyRequests, [.retryAfter: "60"]))
    var har = try HAR(data: Data(old.utf8))
    har.entries.removeAll { $0.url.hasSuffix("/zen") }
    har.entries.append(
      .init(.get, "https://api.themoviedb.org/3/movie/1?api_key=***", response: .json("{}")))
    har.entries.append(.init(.get, "https://elsewhere.example/", response: .json("{}")))
    let drift = try await Drift(since: har, by: clients)
    #expect(
      drift.report.changes.map { "\($0)" } == [
        "GET api.github.com/users/ada id: string, was integer",
        "GET api.github.com/users/ada plan.name: gone (string)",
      ])
    #expect(stub.requests.first?.head.headerFields[.authorization] == "Bearer secret")
    #expect(stub.requests.last?.head.path == "/3/movie/1?api_key=new-key")
    #expect(drift.failures.count == 1)
    #expect(drift.unsent == 1)
    #expect(drift.notes.count == 2)
    #expect(drift.notes.last?.hasPrefix("1 recorded request was not sent") == true)
  }

  @Test func `failed requests are no all clear`() async throws {
    var drift = try await Drift(since: HAR(), by: [])
    drift.failures = [.cancelled]
    let failure = #expect(throws: Failure.self) { try drift.print(asJSON: false) }
    #expect(failure == Failure("1 request got no response.", status: .unavailable))
  }
}
