import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Synchronization
import Testing

/// Stars and closed issues of a host, with a virtual clock.
@Suite(.timeLimit(.minutes(1)))
struct StarringTests {
  /// A host whose values and responses to changes are controlled by a test.
  struct Marking: CodeHost {
    let stars = Shared<Set<Repository.ID>>([])
    let issues = Shared<[Domain.Issue.Reference: Bool]>([:])
    let changes = PendingResponses<String, Void>()
    let listed = PendingResponses<RepositoryName, Listing<Domain.Issue>>()

    func repository(named name: RepositoryName) async throws -> Repository? {
      Repository(name: name)
    }

    func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
      Listing(Repository.samples(1...3))
    }

    func openIssues(of repository: Repository, page: Int) async throws -> Listing<Domain.Issue> {
      try await listed.next(for: repository.name)
    }

    func starred() -> Updates<Stars> {
      // The current value doesn't indicate that it is outdated.
      Updates(stars.values, current: { stars.value.subtracting(["loading"]) }) {
        Stars($0, isLoading: $0.contains("loading"))
      }
    }

    func star(_ repository: RepositoryName, isOn: Bool) -> HostChange {
      HostChange {
        mark(repository, isOn)
      } finish: {
        do {
          try await changes.next(for: "\(repository) \(isOn)")
        } catch {
          mark(repository, !isOn)
          throw error
        }
      }
    }

    private func mark(_ repository: RepositoryName, _ isOn: Bool) {
      stars.update { stars in
        if isOn { stars.insert(repository.id) } else { stars.remove(repository.id) }
      }
    }

    func changedIssues() -> Updates<[Domain.Issue.Reference: Bool]> {
      Updates(issues.values, current: { issues.value }, element: { $0 })
    }

    func change(_ issue: Domain.Issue.Reference, isOpen: Bool) -> HostChange {
      HostChange {
        issues.update { $0[issue] = isOpen }
      } finish: {
        do {
          try await changes.next(for: "\(issue.number) \(isOpen)")
        } catch {
          issues.update { $0[issue] = nil }
          throw error
        }
      }
    }
  }

  private let host = Marking()
  private let name: RepositoryName

  init() throws { name = try #require(RepositoryName("owner/n1")) }

  private func failures<S: Screen>(of probe: ScreenProbe<S>) -> [LoadFailure] {
    probe.activity.alerts.map(\.failure.textOnly)
  }

  @Test func `stars of other screens show and a refused one can be tried again`() throws {
    let probe = ScreenProbe(Starring(host: host))
    probe.resume()
    #expect(probe.state.starred == [])
    host.stars.update { $0 = ["owner/n2"] }
    probe.settle()
    #expect(probe.state.starred == ["owner/n2"])

    probe.send(.star(name, isOn: true))
    #expect(probe.state.isStarred(Repository(name: name)) == true, "before the host has it")
    host.changes.reply(.failure(Broke()))
    probe.settle()
    #expect(probe.state.starred == ["owner/n2"])
    let alert = try #require(probe.activity.alerts.first)
    #expect(alert.failure.textOnly == .broke && alert.canRetry)

    probe.retry(alert.id)
    #expect(probe.activity.alerts == [], "it is tried again")
    #expect(host.changes.requested == ["owner/n1 true", "owner/n1 true"])
    host.changes.reply(.success(()))
    probe.settle()
    #expect(probe.state.isStarred(Repository(name: name)) == true)
    probe.retry(alert.id)
    #expect(host.changes.requested.count == 2, "nothing was refused")
  }

  @Test func `the stars of two repositories do not interfere`() throws {
    let probe = ScreenProbe(Starring(host: host))
    let other = try #require(RepositoryName("owner/n2"))
    probe.send(.star(name, isOn: true))
    probe.send(.star(other, isOn: true))
    host.changes.reply(.failure(Broke()))
    host.changes.reply(.failure(Broke()))
    probe.settle()
    #expect(probe.state.starred == [] && probe.activity.alerts.count == 2)

    probe.send(.star(name, isOn: true))
    #expect(probe.activity.alerts.map { "\($0.name)" } == ["changes[owner/n2].change"])
    host.changes.reply(.success(()))
    probe.settle()
    #expect(probe.state.starred == ["owner/n1"] && probe.activity.alerts.count == 1)
    probe.dismiss(try #require(probe.activity.alerts.first?.id))
    #expect(probe.activity.alerts == [])
  }

  @Test func `a star is refused after its row has left the list`() throws {
    let screen = Repositories(host: host)
    let probe = ScreenProbe(screen)
    probe.send(.search(.term("swift")))
    probe.send(.search(.submit()))
    #expect(probe.state.search.list.items.count == 3)
    probe.send(.stars(.star(name, isOn: true)))
    probe.send(.search(.term("")))
    #expect(probe.state.search.list.items == [] && probe.state.stars.starred == ["owner/n1"])
    host.changes.reply(.failure(Broke()))
    probe.settle()
    #expect(probe.state.stars.starred == [])
    #expect(failures(of: probe) == [.broke])
  }

  @Test func `a click shows before send returns`() {
    let runner = Runner(Repositories(host: host))
    runner.send(.stars(.star(name, isOn: true)))
    #expect(host.stars.value == ["owner/n1"])
    runner.send(.stars(.star(name, isOn: false)))
    #expect(host.stars.value == [])
  }

  @Test func `the second click shows while the first is under way`() throws {
    let screen = Starring(host: host)
    let probe = ScreenProbe(screen)
    probe.send(.star(name, isOn: true))
    probe.send(.star(name, isOn: false))
    #expect(probe.state.starred == [])
    #expect(host.changes.requested == ["owner/n1 true", "owner/n1 false"])
    host.changes.reply(.failure(Broke()))
    probe.settle()
    #expect(failures(of: probe) == [], "nobody wants it any more")
    host.changes.reply(.success(()))
    probe.settle()
    #expect(probe.state.starred == [])
  }

  @Test func `stars that are loaded again show meanwhile, and are waited for`() {
    host.stars.update { $0 = ["loading", "owner/n1"] }
    let probe = ScreenProbe(RepositoryDetail(host: host))
    probe.send(.detail(.show(name)))
    #expect(probe.state.stars.isStarred(Repository(name: name)) == true)
    #expect(!probe.state.stars.isReady && probe.runner.isWorking)
    host.stars.update { $0 = ["owner/n2"] }
    probe.settle()
    #expect(probe.state.stars.starred == ["owner/n2"])
    #expect(probe.state.stars.isReady && !probe.runner.isWorking)
  }

  @Test func `a host that is only read has no stars`() {
    let screen = RepositoryDetail(host: HeldCodeHost())
    let probe = ScreenProbe(screen)
    probe.send(.stars(.star(name, isOn: true)))
    probe.settle()
    #expect(probe.state.stars.starred == nil && probe.state.stars.isReady)
    #expect(probe.activity.alerts.last?.failure.error is ReadOnlyHost)
  }

  @Test func `a closed issue leaves the list and stays picked`() throws {
    let tracker = IssueTracker(TrackIssues(host: host))
    let probe = ScreenProbe(tracker)
    probe.send(.search(.term("owner/n1")))
    probe.send(.search(.submit()))
    host.listed.reply(.success(Listing([3, 2, 1].map { .sample($0, of: name) })))
    probe.settle()
    probe.send(.change(isOpen: false))
    #expect(host.changes.requested == [], "nothing is picked")
    probe.send(.pick(2))
    #expect(probe.state.issues.filter(probe.state.isRead).map(\.number) == [2])
    probe.send(.change(isOpen: false))
    #expect(host.changes.requested == ["2 false"])
    #expect(probe.state.issues.map(\.number) == [3, 1])
    let picked = try #require(probe.state.picked)
    #expect(picked.number == 2 && !probe.state.isOpen(picked) && probe.state.isRead(picked))

    host.changes.reply(.failure(Broke()))
    probe.settle()
    #expect(probe.state.issues.map(\.number) == [3, 2, 1])
    #expect(failures(of: probe) == [.broke])
    probe.retry(try #require(probe.activity.alerts.first?.id))
    #expect(host.changes.requested == ["2 false", "2 false"])
    #expect(failures(of: probe) == [])
  }
}
