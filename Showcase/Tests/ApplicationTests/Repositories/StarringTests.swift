import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Synchronization
import Testing

/// Stars, and closed issues, as a host tells of them on a virtual clock.
@Suite(.timeLimit(.minutes(1)))
struct StarringTests {
  /// A host that tells what a test says, and takes a change when a test says so.
  struct Marking: CodeHost {
    let stars = Shared<Set<Repository.ID>>([])
    let issues = Shared<[Domain.Issue.Reference: Bool]>([:])
    let changes = Transfers<String, Void>()
    let listed = Transfers<RepositoryName, Listing<Domain.Issue>>()

    func repository(named name: RepositoryName) async throws -> Repository? {
      Repository(name: name)
    }

    func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
      Listing(Repository.samples(1...3))
    }

    func openIssues(of repository: Repository, page: Int) async throws -> Listing<Domain.Issue> {
      try await listed.next(for: repository.name)
    }

    func starred() -> Updates<Set<Repository.ID>?> {
      Updates(stars.values, current: { stars.value }, element: { $0 })
    }

    func star(_ repository: RepositoryName, isOn: Bool) async throws {
      try await changes.next(for: "\(repository) \(isOn)")
    }

    func changedIssues() -> Updates<[Domain.Issue.Reference: Bool]> {
      Updates(issues.values, current: { issues.value }, element: { $0 })
    }

    func change(_ issue: Domain.Issue.Reference, isOpen: Bool) async throws {
      try await changes.next(for: "\(issue.number) \(isOpen)")
    }
  }

  private let host = Marking()
  private let name: RepositoryName

  init() throws { name = try #require(RepositoryName("owner/n1")) }

  @Test func `stars of other screens show and a refused one can be tried again`() throws {
    let probe = ScreenProbe(Starring<Repositories>(host: host))
    // A screen begins with its first event.
    probe.send(.retryStar)
    #expect(probe.state.starred == [])
    host.stars.update { $0 = ["owner/n2"] }
    probe.settle()
    #expect(probe.state.starred == ["owner/n2"])
    #expect(probe.state.isStarred(Repository(name: name)) == false)

    probe.send(.star(name, isOn: true))
    #expect(host.changes.requested == ["owner/n1 true"])
    host.changes.reply(.failure(Broke()))
    probe.settle()
    let screen = Starring<Repositories>(host: host)
    #expect(screen.loads(in: probe.state).last?.failure?.textOnly == .broke)
    #expect(screen.loads(in: probe.state).last?.name == .change)

    probe.send(.retryStar)
    #expect(screen.loads(in: probe.state).last?.failure == nil, "it is tried again")
    #expect(host.changes.requested == ["owner/n1 true", "owner/n1 true"])
    host.stars.update { $0.insert("owner/n1") }
    host.changes.reply(.success(()))
    probe.settle()
    #expect(probe.state.isStarred(Repository(name: name)) == true)
    #expect(screen.loads(in: probe.state).last?.failure == nil)
    probe.send(.retryStar)
    #expect(host.changes.requested.count == 2, "nothing was refused")
  }

  @Test func `without stars nothing can be marked`() {
    let probe = ScreenProbe(Starring<RepositoryDetail>(host: HeldCodeHost()))
    probe.send(.content(.issues))
    probe.settle()
    #expect(probe.state.starred == nil)
  }

  @Test func `a closed issue leaves the list and stays picked`() throws {
    let tracker = IssueTracker(TrackIssues(host: host))
    let probe = ScreenProbe(tracker)
    probe.send(.search(.term("owner/n1")))
    probe.send(.search(.submit()))
    host.listed.reply(.success(Listing([3, 2, 1].map { .sample($0, of: name) })))
    probe.settle()
    probe.send(.pick(2))
    #expect(probe.state.unread == 2)
    let second = Domain.Issue.Reference(name, 2)
    probe.send(.change(second, isOpen: false))
    #expect(host.changes.requested == ["2 false"])
    host.issues.update { $0 = [second: false] }
    probe.settle()
    #expect(probe.state.issues.map(\.number) == [3, 1])
    let picked = try #require(probe.state.picked)
    #expect(picked.number == 2 && !probe.state.isOpen(picked))
    #expect(probe.state.unread == 2)

    host.issues.update { $0 = [:] }
    host.changes.reply(.failure(Broke()))
    probe.settle()
    #expect(probe.state.issues.map(\.number) == [3, 2, 1])
    #expect(tracker.loads(in: probe.state).last?.failure?.textOnly == .broke)
    probe.send(.retryChange)
    #expect(host.changes.requested == ["2 false", "2 false"])
    #expect(tracker.loads(in: probe.state).last?.failure == nil)
  }
}
