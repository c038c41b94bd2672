import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import Testing

/// The sandbox's server-sent events are converted to the domain's events, through the client's
/// whole pipeline.
@Suite(.timeLimit(.minutes(1)))
struct IssueEventsTests {
  let clock = TestClock()
  let stub: StubTransport
  let name: RepositoryName

  init() throws {
    stub = StubTransport(servesSamples: false)
    name = try #require(RepositoryName("apple/swift"))
  }

  /// Returns the events of consecutive streams, after which the server ends the event stream.
  private func events(
    _ streams: String..., after position: String? = nil
  ) async throws -> [IssueEvent] {
    let responses = streams.map { text in
      StubResponse.data(Data(text.utf8), contentType: "text/event-stream")
    }
    let end = StubResponse.status(.noContent)
    let path: Path = "/repos/apple/swift/sandbox/opened-issues"
    switch responses.count {
    case 1: stub.stub(.get, path, with: responses[0], end)
    default: stub.stub(.get, path, with: responses[0], responses[1], end)
    }
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    var events: [IssueEvent] = []
    let host = GitHubHost(client: client, streams: client)
    for try await event in host.openedIssues(of: name, after: position) {
      events.append(event)
    }
    return events
  }

  private func event(_ number: Int, _ id: String) -> String {
    """
    event: opened
    id: \(id)
    data: {"number": \(number), "title": "Make it so", "created_at": "2026-01-31T12:00:00Z"}


    """
  }

  private func numbers(_ events: [IssueEvent]) -> [Int?] {
    events.map { if case .opened(let issue) = $0.content { issue.number } else { nil } }
  }

  @Test func `events become issues with their positions`() async throws {
    let events = try await events("retry: 0\n\n" + event(7, "a") + ": waiting\n\n" + event(8, "b"))
    #expect(numbers(events) == [7, 8])
    #expect(events.map(\.position) == ["a", "b"])
    guard case .opened(let issue) = events[0].content else { return }
    #expect(issue.repository == name)
    #expect(issue.title == "Make it so")
    #expect(issue.author == "ghost")
  }

  @Test func `lost connection goes on after the last event`() async throws {
    let events = try await events("retry: 0\n\n" + event(7, "a"), event(8, "b"), after: "x")
    #expect(numbers(events) == [7, 8])
    let field = try #require(HTTPField.Name("Last-Event-ID"))
    #expect(stub.requests.prefix(3).map { $0.head.headerFields[field] } == ["x", "a", "b"])
  }

  @Test func `damaged event is reported and the stream goes on`() async throws {
    let events = try await events(
      "retry: 0\n\nevent: opened\nid: a\ndata: {\"number\": \"x\"}\n\n" + event(8, "b"))
    #expect(numbers(events) == [nil, 8])
    guard case .damaged(let reason) = events[0].content else {
      Testing.Issue.record("it is damaged")
      return
    }
    #expect(reason.contains("number"))
    #expect(events[0].position == "a")
  }

  @Test func `events of other kinds and pull requests are left out`() async throws {
    let pull = event(9, "c").replacing("\"title\"", with: "\"pull_request\": {}, \"title\"")
    let events = try await events("retry: 0\n\ndata: hello\n\n" + pull + event(8, "b"))
    #expect(numbers(events) == [8])
  }

  @Test func `JSON lines become issues of their repositories`() async throws {
    let lines = ["apple/swift", "vapor/vapor", "?"].enumerated().map { index, name in
      #"{"number": \#(index), "title": "Make it so", "created_at": "2026-01-31T12:00:00Z", "#
        + #""repository_url": "https://api.github.com/repos/\#(name)"}"#
    }
    let text = ([lines[0], "", #"{"number": "x"}"#] + lines[1...]).joined(separator: "\n")
    stub.stub(
      .get, "/sandbox/opened-issues",
      with: .data(Data(text.utf8), contentType: "application/jsonl"))
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    var events: [IssueEvent] = []
    for try await event in GitHubHost(client: client, streams: client).openedIssues() {
      events.append(event)
    }
    #expect(numbers(events) == [0, nil, 1])
    guard case .damaged(let reason) = events[1].content, case .opened(let last) = events[2].content
    else { throw NoIssue() }
    #expect(reason.contains("line 3") && reason.contains("number"), "\(reason)")
    #expect("\(last.repository)" == "vapor/vapor")
  }

  private struct NoIssue: Error {}

  @Test func `real GitHub is not asked`() async throws {
    let host = GitHubHost(client: .stubbed(by: stub))
    await #expect(throws: UnwatchableHost.self) {
      for try await _ in host.openedIssues(of: name, after: nil) {}
    }
    await #expect(throws: UnwatchableHost.self) { for try await _ in host.openedIssues() {} }
    #expect(stub.requests.isEmpty)
  }

  @Test func `unknown repository ends the stream with an error`() async throws {
    stub.stub(.get, "/repos/**", with: .status(.notFound))
    let client = Client.stubbed(by: stub)
    let host = GitHubHost(client: client, streams: client)
    await #expect {
      for try await _ in host.openedIssues(of: name, after: nil) {}
    } throws: { error in
      (error as? Client.Error)?.status == .notFound
    }
  }
}
