import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// A user's stars and comments, which are stored until GitHub has them.
@Suite(.timeLimit(.minutes(1)))
struct PendingChangeTests {
  private let stub = StubTransport(servesSamples: false)
  private let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/outbox")
  private let name: RepositoryName
  private let issue: Domain.Issue.Reference

  init() throws {
    name = try #require(RepositoryName("apple/swift"))
    issue = Domain.Issue.Reference(name, 7)
    stub.stub(GitHub.starred(perPage: 100), with: .json("[]"))
    stub.stub(GitHub.comments(on: 7, of: name), with: .json("[]"))
  }

  private static let refused = StubResponse.failure(
    Client.TransportFailure(.refused, reason: "refused"))
  private static let lost = StubResponse.failure(Client.TransportFailure(.lost, reason: "lost"))

  /// A host as after a launch, with the stored changes.
  private func launch(as user: String = "ada") -> GitHubHost {
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    return GitHubHost(client: client, user: { user }, outbox: .gitHub(at: file))
  }

  private func states(_ host: GitHubHost) -> [PendingChange.State] {
    host.pendingChanges().current?.map(\.state) ?? []
  }

  private func waitFor(_ state: PendingChange.State?, _ host: GitHubHost) async throws {
    for try await changes in host.pendingChanges() where changes.last?.state == state { return }
  }

  private func comment(_ text: String, at host: GitHubHost) async throws {
    let change = host.comment(text, on: issue)
    change.begin()
    try await change.finish()
  }

  @Test func `a star without network survives a launch`() async throws {
    stub.stub(GitHub.star(name, true), with: Self.refused)
    do {
      let host = launch()
      var stars = host.starred().makeAsyncIterator()
      while let next = try await stars.next(), next.isLoading {}
      host.star(name, isOn: true).begin()
      #expect(host.starred().current?.ids == [name.id])
      try await waitFor(.waitingForNetwork, host)
    }
    #expect(states(launch(as: "grace")) == [], "each user has changes of their own")
    let put = stub.hold(GitHub.star(name, true))
    let host = launch()
    #expect(host.pendingChanges().current?.map(\.content) == [.star(name, isOn: true)])
    await put.waitForRequests(1)
    put.respond(with: .status(.noContent))
    try await waitFor(nil, host)
    #expect(states(launch()) == [])
  }

  @Test func `a comment whose response is lost waits for its user`() async throws {
    let request = GitHub.comment("Me too.", on: 7, of: name)
    stub.stub(request, with: Self.lost)
    let host = launch()
    var comments = host.comments(on: issue).makeAsyncIterator()
    #expect(try await comments.next()?.all == [])
    try await comment("Me too.", at: host)
    #expect(host.comments(on: issue).current?.all?.map(\.author) == ["ada"])
    try await waitFor(.unknown, host)
    let post = stub.hold(request)
    let id = try #require(host.pendingChanges().current?.first?.id)
    host.decide(.send, on: id).begin()
    await post.waitForRequests(1)
    let json = #"{"id": 5, "body": "Me too.", "created_at": "2026-01-31T12:00:00Z"}"#
    stub.stub(GitHub.comments(on: 7, of: name), with: .json("[\(json)]"))
    post.respond(with: .json(json, status: .created))
    try await waitFor(nil, host)
    while let next = try await comments.next(), next.all?.map(\.id) != [5] {}
    #expect(stub.requests.filter { $0.head.method == .post }.count == 2)
  }

  @Test func `a refused star stays with the reason`() async throws {
    stub.stub(
      GitHub.star(name, true),
      with: .json(#"{"message": "Repository access blocked"}"#, status: .forbidden))
    let host = launch()
    host.star(name, isOn: true).begin()
    let refusal = PendingChange.State.refused("GitHub reports: Repository access blocked.")
    try await waitFor(refusal, host)
    host.discardPendingChanges()
    #expect(states(host) == [])
  }

  @Test func `an edit goes on from texts that another user has changed`() async throws {
    let base = #"{"number": 7, "title": "Ink", "body": "", "created_at": "2026-01-31T12:00:00Z"}"#
    let patch: Path = "/repos/apple/swift/issues/7"
    stub.stub(GitHub.issue(7, of: name), with: .json(base))
    stub.stub(.patch, patch, with: .status(.preconditionFailed), .json(base))
    let host = launch()
    let texts = IssueTexts(title: "Ink", body: "", version: #""1""#)
    stub.stub(
      GitHub.issue(7, of: name),
      with: .json(base.replacing("\"body\": \"\"", with: #""body": "White.""#)))
    host.edit(IssueEdit(issue, base: texts, texts: IssueTexts(title: "Paper", body: ""))).begin()
    try await waitFor(nil, host)
    let bodies = stub.requests.filter { $0.head.method == .patch }
      .compactMap {
        $0.body?.data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
      }
    #expect(bodies == [["title": "Paper", "body": ""], ["title": "Paper", "body": "White."]])
  }

  @Test func `two edits of one text are a conflict`() async throws {
    let theirs = #"{"number": 7, "title": "Lead", "created_at": "2026-01-31T12:00:00Z"}"#
    stub.stub(GitHub.issue(7, of: name), with: .json(theirs))
    stub.stub(.patch, "/repos/apple/swift/issues/7", with: .status(.preconditionFailed))
    let edit = IssueEdit(
      issue, base: IssueTexts(title: "Ink", body: "", version: #""1""#),
      texts: IssueTexts(title: "Paper", body: ""))
    let host = launch()
    host.edit(edit).begin()
    try await waitFor(.conflict(theirs: IssueTexts(title: "Lead", body: "")), host)
    #expect(
      stub.requests.first { $0.head.method == .patch }?.head.headerFields[.ifMatch] == #""1""#)
    let id = try #require(host.pendingChanges().current?.first?.id)
    host.decide(.drop, on: id).begin()
    #expect(states(host) == [])
  }

  @Test func `changes wait for the sign-in of their user`() async throws {
    stub.stub(GitHub.comment("a", on: 7, of: name), with: .status(.unauthorized))
    let host = launch()
    try await comment("a", at: host)
    try await waitFor(.waitingForSignIn, host)
    stub.stub(
      GitHub.comment("a", on: 7, of: name),
      with: .json(#"{"id": 5, "created_at": "2026-01-31T12:00:00Z"}"#))
    host.sendPendingChanges().begin()
    try await waitFor(nil, host)
  }

  @Test func `a change that can't be stored fails at once`() async throws {
    let file = URL(filePath: "/dev/null/outbox")
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    let host = GitHubHost(client: client, user: { "ada" }, outbox: .gitHub(at: file))
    let change = host.star(name, isOn: true)
    change.begin()
    await #expect(throws: (any Error).self) { try await change.finish() }
    #expect(states(host) == [])
  }
}
