import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// Stars and the states of issues: at once, taken back where the host refuses, and as the host says later.
@Suite(.timeLimit(.minutes(1)))
struct SharedStateTests {
  private let stub = StubTransport(servesSamples: false)
  private let host: GitHubHost
  private let name: RepositoryName
  private let star: Path = "/user/starred/apple/swift"
  private let issue: Path = "/repos/apple/swift/issues/7"

  init() throws {
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    host = GitHubHost(client: client, streams: client)
    name = try #require(RepositoryName("apple/swift"))
    stub.stub(GitHub.starred(perPage: 100), with: .json(#"[{"full_name": "moya/moya"}]"#))
    stub.stub(GitHub.issues(of: name), with: .json("[\(Self.json), \(Self.json(8))]"))
  }

  private static let json = json(7)

  private static func json(_ number: Int) -> String {
    #"{"number": \#(number), "title": "Ink", "created_at": "2026-01-31T12:00:00Z"}"#
  }

  private static let forbidden = StubResponse.json(
    #"{"message": "No rights."}"#, status: .forbidden)

  @Test func `a star shows while the server holds it`() async throws {
    let put = stub.hold(.put, star)
    var stars = host.starred().makeAsyncIterator()
    #expect(try await stars.next() == ["moya/moya"])
    #expect(host.starred().current == ["moya/moya"])
    async let done: Void = host.star(name, isOn: true)
    await put.waitForRequests(1)
    #expect(try await stars.next() == ["moya/moya", "apple/swift"])
    #expect(host.starred().current == ["moya/moya", "apple/swift"])
    stub.stub(
      GitHub.starred(perPage: 100),
      with: .json(#"[{"full_name": "apple/swift"}, {"full_name": "moya/moya"}]"#))
    put.respond(with: .status(.noContent))
    try await done
    #expect(host.starred().current == ["moya/moya", "apple/swift"])
  }

  @Test func `a star that is refused is taken back`() async throws {
    stub.stub(.put, star, with: Self.forbidden)
    var stars = host.starred().makeAsyncIterator()
    #expect(try await stars.next() == ["moya/moya"])
    let error = await #expect(throws: ChangeRefusal.self) {
      try await host.star(name, isOn: true)
    }
    #expect(
      error?.errorDescription
        == "The star of apple/swift can't be changed. GitHub says: No rights.")
    #expect(host.starred().current == ["moya/moya"])
  }

  @Test func `stars that can't be loaded are not known`() async throws {
    stub.stub(GitHub.starred(perPage: 100), with: .status(.internalServerError))
    var stars = host.starred().makeAsyncIterator()
    #expect(try await stars.next() == .some(nil))
  }

  @Test func `an issue stays closed until the host lists it later`() async throws {
    let patch = stub.hold(.patch, issue)
    let reference = Domain.Issue.Reference(name, 7)
    #expect(host.changedIssues().current == [:])
    async let done: Void = host.change(reference, isOpen: false)
    await patch.waitForRequests(1)
    #expect(host.changedIssues().current == [reference: false])
    let repository = Repository(name: name)
    _ = try await host.openIssues(of: repository, page: 1)
    #expect(host.changedIssues().current == [reference: false], "it was asked for before")
    patch.respond(with: .json(Self.json))
    try await done
    #expect(host.changedIssues().current == [reference: false])
    _ = try await host.openIssues(of: repository, page: 1)
    #expect(host.changedIssues().current == [:], "somebody else has reopened it")
  }

  @Test func `an issue that may not be closed is open again`() async throws {
    stub.stub(.patch, issue, with: Self.forbidden)
    let error = await #expect(throws: ChangeRefusal.self) {
      try await host.change(Domain.Issue.Reference(name, 7), isOpen: false)
    }
    #expect(error?.errorDescription == "Issue #7 can't be closed. GitHub says: No rights.")
    #expect(host.changedIssues().current == [:])
  }

  @Test func `nothing is changed at GitHub itself`() async throws {
    let real = GitHubHost(client: .stubbed(by: stub))
    await #expect(throws: ReadOnlyHost.self) { try await real.star(name, isOn: true) }
    await #expect(throws: ReadOnlyHost.self) {
      try await real.change(Domain.Issue.Reference(name, 7), isOpen: false)
    }
    for try await _ in real.starred() { Testing.Issue.record("there are no stars") }
    for try await _ in real.changedIssues() { Testing.Issue.record("there are no changes") }
    #expect(stub.requests.isEmpty)
  }
}
