import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

/// The list of repositories with a virtual clock; the tests control the host's responses.
@Suite(.timeLimit(.minutes(1)))
struct RepositoriesTests {
  let host = HeldCodeHost()
  let recent = RecentValues<RepositoryName, Repository>()
  let probe: ScreenProbe<Repositories>

  init() {
    probe = ScreenProbe(Repositories(host: host, recent: recent))
  }

  var list: Feed<Repository>.State { probe.state.list }

  func search(_ language: String) {
    probe.send(.search(.term(language)))
    probe.advance(by: .milliseconds(500))
  }

  func reply(_ listing: Listing<Repository>) {
    host.listed.reply(.success(listing))
    probe.settle()
  }

  @Test func `address can lead to a later page`() {
    probe.send(.search(.term("swift")))
    probe.send(.search(.submit(from: .number(3))))
    #expect(host.listed.requested == [.init(language: "swift", page: 3)])
  }

  @Test func `repository whose name differs in case is the same`() throws {
    let other = try #require(RepositoryName("Owner/N1"))
    search("swift")
    reply(Listing(Repository.samples(1...3) + [Repository(name: other)]))
    #expect(list.items == Repository.samples(1...3))
  }

  @Test func `what was listed is remembered for the screen that shows it`() throws {
    search("swift")
    reply(Listing(Repository.samples(1...3)))
    let second = try #require(Repository.sample(2))
    #expect(recent[second.name] == second)
  }

  @Test func `picked repository is gone to`() throws {
    let navigator = Footprints()
    let runner = Runner(Repositories(host: host), navigator: navigator)
    let name = try #require(RepositoryName("apple/swift"))
    runner.send(.pick(name))
    #expect(navigator.all == ["/repositories/apple/swift"])
    #expect(runner.state == Repositories(host: host).initial)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct RepositoryDetailTests {
  let host = HeldCodeHost()
  let recent = RecentValues<RepositoryName, Repository>()
  let navigator = Footprints()
  let executor = TestExecutor()
  let runner: Runner<RepositoryDetail>
  let swift: RepositoryName

  init() throws {
    swift = try #require(RepositoryName("apple/swift"))
    runner = Runner(
      RepositoryDetail(host: host, recent: recent), executor: .custom(executor),
      navigator: navigator)
  }

  func reply(_ result: Result<Repository?, any Error>) {
    host.named.reply(result)
    executor.drain()
  }

  func show() {
    runner.send(.detail(.show(swift)))
    executor.drain()
  }

  @Test func `what the list knew is shown at once and the rest is loaded`() {
    recent.remember([Repository(name: swift, stars: 5)], by: \.name)
    show()
    #expect(runner.state.repository?.stars == 5)
    #expect(runner.state.content.isLoading)
    reply(.success(Repository(name: swift, stars: 6, watchers: 7)))
    #expect(runner.state.repository?.stars == 6)
    #expect(runner.state.repository?.watchers == 7)
    #expect(host.named.requested == [swift])
  }

  @Test func `its issues are one step away`() {
    runner.send(.issues)
    #expect(navigator.all == [], "no repository, no issues")
    show()
    runner.send(.issues)
    #expect(navigator.all == ["/issues?q=apple/swift"])
  }
}
