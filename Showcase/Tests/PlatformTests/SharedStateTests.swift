import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// Stars and issue states are changed optimistically, rolled back after a rejection, and updated by
/// later responses.
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

  /// Returns the next stars that are up to date.
  private func next(_ stars: inout Updates<Stars>.AsyncIterator) async throws -> Set<Repository.ID>?
  {
    while let next = try await stars.next() {
      if !next.isLoading { return next.ids }
    }
    return nil
  }

  @Test func `a star shows while the server holds it`() async throws {
    let put = stub.hold(.put, star)
    var stars = host.starred().makeAsyncIterator()
    #expect(try await next(&stars) == ["moya/moya"])
    #expect(host.starred().current?.ids == ["moya/moya"])
    let change = host.star(name, isOn: true)
    change.begin()
    #expect(host.starred().current?.ids == ["moya/moya", "apple/swift"])
    async let done: Void = change.finish()
    await put.waitForRequests(1)
    #expect(try await next(&stars) == ["moya/moya", "apple/swift"])
    #expect(host.starred().current?.ids == ["moya/moya", "apple/swift"])
    stub.stub(
      GitHub.starred(perPage: 100),
      with: .json(#"[{"full_name": "apple/swift"}, {"full_name": "vapor/vapor"}]"#))
    put.respond(with: .status(.noContent))
    try await done
    #expect(try await next(&stars) == ["apple/swift", "vapor/vapor"], "it is loaded again")
  }

  @Test func `a star that is refused is taken back`() async throws {
    stub.stub(.put, star, with: Self.forbidden)
    var stars = host.starred().makeAsyncIterator()
    #expect(try await next(&stars) == ["moya/moya"])
    let change = host.star(name, isOn: true)
    change.begin()
    #expect(try await next(&stars) == ["moya/moya", "apple/swift"])
    let error = await #expect(throws: ChangeRefusal.self) { try await change.finish() }
    #expect(try await next(&stars) == ["moya/moya"])
    #expect(
      error?.errorDescription
        == "The star of apple/swift can't be changed. GitHub reports: No rights.")
    #expect(host.starred().current?.ids == ["moya/moya"])
  }

  @Test func `stars that can't be loaded are not known`() async throws {
    stub.stub(GitHub.starred(perPage: 100), with: .status(.internalServerError))
    var stars = host.starred().makeAsyncIterator()
    #expect(try await stars.next() == Stars(nil))
  }

  @Test func `an issue stays closed until the host lists it later`() async throws {
    let patch = stub.hold(.patch, issue)
    let reference = Domain.Issue.Reference(name, 7)
    #expect(host.changedIssues().current == [:])
    let change = host.change(reference, isOpen: false)
    change.begin()
    async let done: Void = change.finish()
    await patch.waitForRequests(1)
    #expect(host.changedIssues().current == [reference: false])
    let repository = Repository(name: name)
    _ = try await host.openIssues(of: repository, page: 1)
    #expect(host.changedIssues().current == [reference: false], "it was asked for before")
    patch.respond(with: .json(Self.json))
    try await done
    #expect(host.changedIssues().current == [reference: false])
    _ = try await host.openIssues(of: repository, page: 1)
    #expect(host.changedIssues().current == [reference: true], "somebody else has reopened it")
  }

  @Test func `a list from before does not reopen an issue`() async throws {
    let reference = Domain.Issue.Reference(name, 7)
    stub.stub(.patch, issue, with: .json(Self.json))
    let list = stub.hold(GitHub.issues(of: name))
    async let before = host.openIssues(of: Repository(name: name), page: 1)
    await list.waitForRequests(1)
    let change = host.change(reference, isOpen: false)
    change.begin()
    try await change.finish()
    list.respond(with: .json("[\(Self.json)]"))
    #expect(try await before.items.map(\.number) == [7])
    #expect(host.changedIssues().current == [reference: false])
  }

  @Test func `an issue says itself what it is`() async throws {
    let reference = Domain.Issue.Reference(name, 7)
    let other = try #require(RepositoryName("Apple/Swift"))
    let change = host.change(Domain.Issue.Reference(other, 7), isOpen: true)
    change.begin()
    #expect(host.changedIssues().current?[reference] == true, "regardless of the case of its name")
    stub.stub(.patch, "/repos/Apple/Swift/issues/7", with: .json(Self.json))
    try await change.finish()
    stub.stub(
      GitHub.issue(7, of: name),
      with: .json(Self.json.replacing("}", with: #", "state": "closed"}"#)))
    #expect(try await host.issue(7, of: name)?.isOpen == false)
    #expect(host.changedIssues().current == [reference: false], "somebody else has closed it")
  }

  @Test func `an issue that may not be closed is open again`() async throws {
    stub.stub(.patch, issue, with: Self.forbidden)
    let change = host.change(Domain.Issue.Reference(name, 7), isOpen: false)
    change.begin()
    #expect(host.changedIssues().current?.values.map { $0 } == [false])
    let error = await #expect(throws: ChangeRefusal.self) { try await change.finish() }
    #expect(error?.errorDescription == "Issue #7 can't be closed. GitHub reports: No rights.")
    #expect(host.changedIssues().current == [:])
  }

  @Test func `nothing is changed at GitHub itself`() async throws {
    let real = GitHubHost(client: .stubbed(by: stub))
    await #expect(throws: ReadOnlyHost.self) { try await real.star(name, isOn: true).finish() }
    await #expect(throws: ReadOnlyHost.self) {
      try await real.change(Domain.Issue.Reference(name, 7), isOpen: false).finish()
    }
    for try await _ in real.starred() { Testing.Issue.record("there are no stars") }
    for try await _ in real.changedIssues() { Testing.Issue.record("there are no changes") }
    #expect(stub.requests.isEmpty)
  }
}
