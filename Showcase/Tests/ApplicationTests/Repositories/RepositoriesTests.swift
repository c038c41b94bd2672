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

  var list: Feed<Repository>.State { probe.state.search.list }

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

  /// Chooses a minimum number of stars in the open filter.
  func choose(_ minimum: Int) { probe.send(.filter(.minimum(minimum))) }

  @Test func `an applied filter ends the list where the stars end`() {
    search("swift")
    reply(Listing([5_000, 2_000].map(Repository.starred), nextPage: 2, total: 900))
    probe.send(.openFilter)
    choose(1_000)
    #expect(host.listed.requested.count == 1, "nothing is applied yet")
    probe.send(.applyFilter)
    #expect(probe.state.filter == nil && probe.state.minimum == 1_000)
    reply(Listing([5_000, 2_000].map(Repository.starred), nextPage: 2, total: 900))
    #expect(list.status == .content && list.total == nil)
    probe.send(.search(.list(.more)))
    reply(Listing([1_500, 900].map(Repository.starred), nextPage: 3, total: 900))
    #expect(list.items.map(\.stars) == [5_000, 2_000, 1_500])
    #expect(list.status == .ended)
    probe.send(.openFilter)
    #expect(probe.state.filter?.minimum == 1_000, "it shows the current choice")
  }

  @Test func `a dismissed filter has no effect`() {
    search("swift")
    reply(Listing(Repository.samples(1...3)))
    choose(100)
    #expect(probe.state.filter == nil)
    probe.send(.openFilter)
    choose(100)
    choose(7)
    #expect(probe.state.filter?.minimum == 100, "seven is not offered")
    probe.send(.closeFilter)
    choose(1_000)
    probe.send(.applyFilter)
    #expect(probe.state.filter == nil && probe.state.minimum == 0)
    #expect(host.listed.requested.count == 1)
    probe.send(.openFilter)
    #expect(probe.state.filter?.minimum == 0, "the former choice is forgotten")
  }

  @Test func `a filter replaces the searches of the former filter`() {
    search("swift")
    probe.send(.openFilter)
    choose(1_000)
    probe.send(.applyFilter)
    #expect(host.listed.requested.count == 2)
    reply(Listing([9_000].map(Repository.starred)))
    #expect(list.items == [], "the first response belongs to the former filter")
    reply(Listing([9_000, 10].map(Repository.starred)))
    #expect(list.items.map(\.stars) == [9_000])
    // A text that waits for its search is searched at once.
    probe.send(.search(.term("c")))
    probe.send(.openFilter)
    choose(10_000)
    probe.send(.applyFilter)
    reply(Listing([9_000].map(Repository.starred)))
    #expect(list.items == [] && list.status == .empty)
    probe.advance(by: .seconds(1))
    #expect(host.listed.requested.map(\.language) == ["swift", "swift", "c"])
  }

  @Test func `picked repository is gone to`() throws {
    let navigator = Footprints()
    let runner = Runner(Repositories(host: host), navigator: navigator)
    let name = try #require(RepositoryName("apple/swift"))
    runner.send(.pick(name))
    #expect(navigator.all == ["/repositories/apple/swift"])
    #expect(runner.state.search == Repositories(host: host).initial.search)
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
    #expect(runner.state.detail.content.isLoading)
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
