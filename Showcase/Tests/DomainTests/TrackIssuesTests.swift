import Domain
import Foundation
import Synchronization
import Testing

/// The use case: look up the repository, then list its issues; the list is empty if it doesn't
/// exist.
@Suite(.timeLimit(.minutes(1)))
struct TrackIssuesTests {
  let name: RepositoryName
  let present: RepositoryName

  init() throws {
    name = try #require(RepositoryName("old/name"))
    present = try #require(RepositoryName("new/name"))
  }

  @Test func `repository is found and then its issues are listed`() async throws {
    let issues = Listing<Domain.Issue>(
      [.sample(12, in: present), .sample(7, in: present)], nextPage: 3, total: 9)
    let host = FakeHost(repository: .success(Repository(name: present)), issues: .success(issues))
    #expect(try await TrackIssues(host: host)(name, page: 2) == issues)
    #expect(host.calls == ["repository old/name", "issues new/name, page 2"])
  }

  @Test func `nothing found is an empty list and asks for no issues`() async throws {
    let host = FakeHost(repository: .success(nil), issues: .failure(Broken()))
    #expect(try await TrackIssues(host: host)(name) == Listing([]))
    #expect(host.calls == ["repository old/name"])
  }

  @Test(arguments: [(false, 1), (true, 2)])
  func `failure is passed on and nothing else is asked for`(isFound: Bool, count: Int) async throws
  {
    let found =
      isFound ? Result<Repository?, Broken>.success(Repository(name: present)) : .failure(Broken())
    let host = FakeHost(repository: found, issues: .failure(Broken()))
    await #expect(throws: Broken.self) { try await TrackIssues(host: host)(name) }
    let calls = ["repository old/name", "issues new/name, page 1"]
    #expect(host.calls == Array(calls.prefix(count)))
  }

  @Test func `cancelled before the repository is found asks for no issues`() async throws {
    // The host responds only after a cancellation, and ignores it.
    let host = FakeHost(
      repository: .success(Repository(name: present)), issues: .success(Listing([])),
      respondsWhenCancelled: true)
    let name = name
    let tracking = Task { try await TrackIssues(host: host)(name) }
    tracking.cancel()
    await #expect(throws: CancellationError.self) { try await tracking.value }
    #expect(host.calls == ["repository old/name"])
  }
}

private struct Broken: Error {}

extension Domain.Issue {
  fileprivate static func sample(_ number: Int, in repository: RepositoryName) -> Domain.Issue {
    Domain.Issue(
      repository: repository, number: number, title: "Make it so", body: "", labels: [],
      author: "ada", createdAt: Date(timeIntervalSince1970: 0), comments: 0)
  }
}

/// Returns the given responses, and records the requests.
private final class FakeHost: CodeHost {
  private let found: Result<Repository?, Broken>
  private let listed: Result<Listing<Domain.Issue>, Broken>
  private let respondsWhenCancelled: Bool
  private let requested = Mutex<[String]>([])

  init(
    repository: Result<Repository?, Broken>, issues: Result<Listing<Domain.Issue>, Broken>,
    respondsWhenCancelled: Bool = false
  ) {
    (found, listed) = (repository, issues)
    self.respondsWhenCancelled = respondsWhenCancelled
  }

  var calls: [String] { requested.withLock { $0 } }

  func repository(named name: RepositoryName) async throws -> Repository? {
    requested.withLock { $0.append("repository \(name)") }
    if respondsWhenCancelled {
      let (cancelled, signal) = AsyncStream<Void>.makeStream()
      await withTaskCancellationHandler {
        for await _ in cancelled {}
      } onCancel: {
        signal.finish()
      }
    }
    return try found.get()
  }

  func repositories(
    in language: String, page: Int
  ) async throws -> Listing<Repository> {
    requested.withLock { $0.append("repositories in \(language), page \(page)") }
    return Listing([])
  }

  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Domain.Issue> {
    requested.withLock { $0.append("issues \(repository.name), page \(page)") }
    return try listed.get()
  }
}
