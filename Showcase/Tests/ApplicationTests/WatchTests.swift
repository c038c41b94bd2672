import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Synchronization
import Testing

/// A watched repository with a virtual clock; the test controls the host's events.
@Suite(.timeLimit(.minutes(1)))
struct WatchTests {
  let host = HeldCodeHost()
  let probe: ScreenProbe<Watch>
  let swift: RepositoryName
  let cups: RepositoryName

  init() throws {
    probe = ScreenProbe(Watch(host: host))
    swift = try #require(RepositoryName("apple/swift"))
    cups = try #require(RepositoryName("apple/cups"))
  }

  /// The watched repositories with their start positions.
  var watched: [String] {
    host.watched.all.withLock { $0.map { "\($0.name) \($0.position ?? "-")" } }
  }

  func type(_ text: String) {
    probe.send(.term(text))
    probe.advance(by: Watch.quietTime)
  }

  func find(_ name: RepositoryName, with numbers: [Int] = [2, 1]) {
    host.named.reply(.success(Repository(name: name)))
    probe.settle()
    host.issues.reply(.success(Listing(numbers.map { .sample($0, of: name) })))
    probe.settle()
  }

  /// Sends an opened issue to a stream, by default to the newest stream.
  func open(_ number: Int, of name: RepositoryName? = nil, in index: Int? = nil) {
    yield(.opened(.sample(number, of: name ?? swift)), "\(number)", in: index)
  }

  func yield(_ content: IssueEvent.Content, _ position: String, in index: Int? = nil) {
    let streams = host.watched.all.withLock { $0.map(\.stream) }
    streams[index ?? streams.count - 1].yield(IssueEvent(content, position: position))
    probe.settle()
  }

  func end(_ error: (any Error)? = nil) {
    host.watched.all.withLock { $0.last?.stream }?.finish(throwing: error)
    probe.settle()
  }

  func watch() {
    type("apple/swift")
    find(swift)
  }

  var numbers: [Int] { probe.state.issues.map(\.number) }

  // MARK: Following

  @Test func `issues come on top as they are opened`() {
    #expect(probe.state.phase == .idle)
    type("apple/swift")
    #expect(probe.state.phase == .lookingUp)
    find(swift)
    #expect(probe.state.phase == .following)
    #expect(numbers == [2, 1])
    #expect(probe.state.opened == 0)
    open(3)
    open(4)
    #expect(numbers == [4, 3, 2, 1])
    #expect(probe.state.opened == 2)
    #expect(watched == ["apple/swift -"])
  }

  @Test func `issue that is there already is not new`() {
    watch()
    open(2)
    open(3)
    open(3)
    #expect(numbers == [3, 2, 1])
    #expect(probe.state.opened == 1)
  }

  @Test func `newest hundred are kept`() {
    watch()
    for number in 3...150 { open(number) }
    #expect(numbers == Array((51...150).reversed()))
    #expect(probe.state.opened == 148)
  }

  @Test func `damaged event is left out and the stream goes on`() {
    watch()
    yield(.damaged(reason: "no number"), "7")
    open(8)
    #expect(probe.state.skippedEntries == ["Issue event 7 can’t be shown."])
    #expect(numbers == [8, 2, 1])
  }

  // MARK: Pauses

  @Test(arguments: [false, true])
  func `paused or hidden view goes on after the last event`(isHidden: Bool) {
    watch()
    open(3)
    if isHidden { probe.suspend() } else { probe.send(.pause) }
    probe.settle()
    #expect(isHidden || probe.state.phase == .paused)
    open(4)
    #expect(numbers == [3, 2, 1])
    if isHidden { probe.resume() } else { probe.send(.resume) }
    probe.settle()
    #expect(probe.state.phase == .following)
    #expect(watched == ["apple/swift -", "apple/swift 3"])
    open(4)
    #expect(numbers == [4, 3, 2, 1])
  }

  @Test func `hidden view of a paused stream stays paused`() {
    watch()
    probe.send(.pause)
    probe.suspend()
    probe.resume()
    probe.settle()
    #expect(watched.count == 1)
    #expect(probe.state.phase == .paused)
  }

  // MARK: Another repository

  @Test func `another repository replaces the first`() {
    watch()
    open(3)
    type("apple/cups")
    #expect(!probe.state.isLoaded, "the shown issues belong to the first repository")
    open(4, in: 0)
    #expect(numbers == [3, 2, 1])
    find(cups, with: [9])
    #expect(numbers == [9])
    #expect(probe.state.opened == 0)
    #expect(watched == ["apple/swift -", "apple/cups -"])
    open(5, in: 0)
    open(10, of: cups)
    #expect(numbers == [10, 9])
  }

  @Test func `same repository is not looked for again`() {
    watch()
    type("apple/cup")
    #expect(host.named.requested.count == 2)
    find(cups)
    type("apple/cup ")
    #expect(host.named.requested.count == 2)
  }

  @Test func `typing is waited for`() {
    probe.send(.term("apple/s"))
    probe.advance(by: Watch.quietTime - .milliseconds(1))
    probe.send(.term("apple/swift"))
    probe.advance(by: Watch.quietTime - .milliseconds(1))
    #expect(host.named.requested.isEmpty)
    probe.send(.submit)
    probe.settle()
    #expect(host.named.requested == [swift])
    probe.advance(by: .seconds(1))
    #expect(host.named.requested.count == 1)
  }

  @Test(arguments: ["", "  ", "apple", "apple/"])
  func `text that is no name ends everything`(text: String) {
    watch()
    open(3)
    probe.send(.term(text))
    #expect(probe.state == Watch.State(text: text))
    open(4)
    #expect(probe.state == Watch.State(text: text))
  }

  @Test func `unknown repository is missing`() {
    watch()
    type("nobody/nothing")
    host.named.reply(.success(nil))
    probe.settle()
    #expect(probe.state.phase == .missing)
    open(3)
    #expect(probe.state.phase == .missing)
    #expect(probe.state.opened == 0)
  }

  @Test func `repository that moved is watched by its present name`() {
    type("apple/swift")
    find(cups)
    #expect(watched == ["apple/cups -"])
    #expect(probe.state.repository == cups)
  }

  // MARK: Errors

  @Test func `lost stream goes on after the last event`() {
    watch()
    open(3)
    end(Broke())
    #expect(probe.state.phase.failure?.textOnly == .broke)
    #expect(numbers == [3, 2, 1])
    probe.send(.retry)
    probe.settle()
    #expect(probe.state.phase == .following)
    #expect(watched.last == "apple/swift 3")
    #expect(probe.state.opened == 1)
  }

  @Test func `failed search is repeated`() {
    type("apple/swift")
    host.named.reply(.failure(Broke()))
    probe.settle()
    #expect(probe.state.phase.failure?.textOnly == .broke)
    probe.send(.retry)
    probe.settle()
    find(swift)
    #expect(probe.state.phase == .following)
  }

  @Test func `end of the stream is no error`() {
    watch()
    end()
    #expect(probe.state.phase == .ended)
    probe.send(.resume)
    probe.settle()
    #expect(probe.state.phase == .following)
  }

  @Test func `host that tells nothing says so`() {
    struct Mute: CodeHost {
      func repository(named name: RepositoryName) -> Repository? { Repository(name: name) }
      func repositories(in language: String, page: Int) -> Listing<Repository> { Listing([]) }
      func openIssues(of repository: Repository, page: Int) -> Listing<Domain.Issue> {
        Listing([.sample(1, of: repository.name)])
      }
    }
    let probe = ScreenProbe(Watch(host: Mute()))
    probe.send(.term("apple/swift"))
    probe.send(.submit)
    probe.settle()
    #expect(probe.state.phase.failure?.error is UnwatchableHost)
    #expect(probe.state.issues.count == 1)
  }
}
