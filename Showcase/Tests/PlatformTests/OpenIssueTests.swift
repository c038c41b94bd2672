import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import Testing

/// Opening an issue, and the reasons for a rejection by GitHub.
@Suite(.timeLimit(.minutes(1)))
struct OpenIssueTests {
  private let stub = StubTransport(servesSamples: false)
  private let name: RepositoryName

  init() throws { name = try #require(RepositoryName("apple/swift")) }

  private func draft() -> IssueDraft {
    var draft = IssueDraft(for: name)
    (draft[.title], draft[.body]) = (" Ink ", "")
    return draft
  }

  private func refusal(_ response: StubResponse) async throws -> IssueRefusal? {
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    stub.stub(.post, "/repos/apple/swift/issues", with: response)
    do {
      _ = try await GitHubHost(client: client, streams: client).open(draft(), key: "k")
      return nil
    } catch let error as IssueRefusal {
      return error
    }
  }

  @Test func `an issue is opened with its key and the list is asked for again`() async throws {
    let response = StubResponse.json(
      #"{"number": 7, "title": "Ink", "created_at": "2026-01-31T12:00:00Z"}"#, status: .created)
    stub.stub(GitHub.issues(of: name), with: .json("[]"))
    #expect(try await refusal(response) == nil)
    let request = try #require(stub.requests.first)
    #expect(request.head.headerFields[HTTPField.Name("Idempotency-Key")!] == "k")
    #expect(stub.requests.map(\.head.method) == [.post, .get])
  }

  @Test func `what is refused is said of its field`() async throws {
    let long =
      #"{"errors": [{"field": "title", "code": "custom", "message": "title is too long"}]}"#
    #expect(
      try await refusal(.json(long, status: .unprocessableContent))?.problems
        == [.title: "GitHub reports: title is too long."])
    let odd = #"{"errors": [1, {"field": "milestone"}, {"field": "body", "code": 7}]}"#
    #expect(
      try await refusal(.json(odd, status: .unprocessableContent))?.problems
        == [.body: "GitHub rejected this description."])
    #expect(
      try await refusal(.json("{}", status: .notFound))?.problems
        == [.repository: "There is no repository apple/swift."])
    #expect(
      try await refusal(.json("{}", status: .gone))?.problems
        == [.repository: "apple/swift does not accept issues."])
    await #expect(throws: Client.Error.self) {
      try await refusal(.json("{}", status: .unprocessableContent))
    }
    await #expect(throws: Client.Error.self) { try await refusal(.status(.forbidden)) }
  }

  @Test func `GitHub itself is only read`() async throws {
    let host = GitHubHost(client: .stubbed(by: stub))
    await #expect(throws: ReadOnlyHost.self) { try await host.open(draft(), key: "k") }
    #expect(stub.requests.isEmpty)
  }
}
