import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

/// The issue tracker with a virtual clock; the tests control the host's responses.
@Suite(.timeLimit(.minutes(1)))
struct IssueTrackerTests {
  let host = HeldCodeHost()
  let probe: ScreenProbe<IssueTracker>
  let swift: Repository
  let issues: [Domain.Issue]

  init() throws {
    probe = ScreenProbe(IssueTracker(TrackIssues(host: host)))
    let name = try #require(RepositoryName("apple/swift"))
    swift = Repository(name: name)
    issues = [.sample(12, of: name), .sample(7, of: name)]
  }

  /// Types a text, and waits for the debounce interval.
  func type(_ text: String) {
    probe.send(.search(.term(text)))
    probe.advance(by: .milliseconds(500))
  }

  func find(_ result: Result<Repository?, any Error>, at index: Int = 0) {
    host.named.reply(result, to: index)
    probe.settle()
  }

  func list(_ result: Result<[Domain.Issue], any Error>) {
    host.issues.reply(result.map { Listing($0) })
    probe.settle()
  }

  func showIssues() {
    type("apple/swift")
    find(.success(swift))
    list(.success(issues))
  }

  // MARK: The chain of requests

  @Test func `repository is found and its issues are shown`() {
    type("apple/swift")
    #expect(probe.state.search.list.status == .loading(.first))
    #expect(host.named.requested.map(\.description) == ["apple/swift"])
    find(.success(swift))
    #expect(probe.state.search.list.status == .loading(.first))
    list(.success(issues))
    #expect(probe.state.search.list.items == issues)
    #expect(host.issues.requested.map(\.description) == ["apple/swift"])
  }

  @Test func `address of the page works as well`() {
    type("https://github.com/apple/swift/issues")
    #expect(host.named.requested.map(\.description) == ["apple/swift"])
  }

  @Test func `failure shows its words and a retry repeats the whole chain`() {
    type("apple/swift")
    find(.success(swift))
    list(.failure(Broke()))
    #expect(probe.state.search.list.failure?.textOnly == LoadFailure(message: "It broke."))
    probe.send(.search(.list(.retry)))
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.search.list.items == issues)
    #expect(host.named.requested.count == 2)
  }

  @Test func `later pages are those of the present name`() throws {
    let moved = Repository(name: try #require(RepositoryName("swiftlang/swift")))
    type("apple/swift")
    find(.success(moved))
    host.issues.reply(.success(Listing([.sample(12, of: moved.name)], nextPage: 2)))
    probe.settle()
    probe.send(.search(.list(.more)))
    find(.success(moved))
    list(.success([.sample(7, of: moved.name)]))
    #expect(probe.state.search.list.items.map(\.number) == [12, 7])
    #expect(probe.state.search.list.status == .ended)
    #expect(host.named.requested.count == 2)
    #expect(host.issues.requested == [moved.name, moved.name], "by its present name")
  }

  @Test func `page of an address finds its repository first`() {
    probe.send(.search(.term("apple/swift")))
    probe.send(.search(.submit(from: .number(2))))
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.search.list.items == issues)
    #expect(host.named.requested.count == 1)
  }

  // MARK: The hint

  @Test(arguments: ["app", "apple/", "apple", "/swift", "apple/swift/", "apple/.."])
  func `text that is no name says what to type and asks no server`(text: String) {
    type(text)
    probe.send(.search(.submit()))
    #expect(probe.state.search.hint == IssueTracker.hint)
    #expect(probe.state.search.list.status == .idle)
    #expect(host.named.requested == [])
  }

  @Test func `hint goes with the text and with a name`() {
    type("app")
    #expect(probe.state.search.hint != nil)
    type("")
    #expect(probe.state.search.hint == nil)
    type("app")
    type("apple/swift")
    #expect(probe.state.search.hint == nil)
  }

  // MARK: The selected issue

  @Test func `picked issue is shown until it is closed`() {
    showIssues()
    #expect(probe.state.picked == nil)
    probe.send(.pick(7))
    #expect(probe.state.picked == issues[1])
    probe.send(.close)
    #expect(probe.state.picked == nil)
    #expect(probe.state.search.list.items == issues)
  }

  @Test func `issue picked before the list is there is shown as soon as it is`() {
    type("apple/swift")
    probe.send(.pick(12))
    #expect(probe.state.picked == nil)
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.picked == issues[0])
  }

  @Test func `picked row is one of the list that was shown`() {
    showIssues()
    probe.send(.search(.term("apple/swift-nio")))
    probe.send(.pick(7, of: swift.name))
    #expect(probe.state.search.text == "apple/swift")
    #expect(probe.state.picked == issues[1])
    probe.advance(by: .seconds(5))
    #expect(probe.state.picked == issues[1])
    #expect(host.named.requested.map(\.description) == ["apple/swift"], "it is there")
  }

  @Test(arguments: [false, true])
  func `picked row of the list before brings it back`(isLoaded: Bool) throws {
    showIssues()
    let other = Repository(name: try #require(RepositoryName("apple/cups")))
    type("apple/cups")
    if isLoaded {
      find(.success(other))
      list(.success([.sample(7, of: other.name)]))
    }
    probe.send(.pick(7, of: swift.name))
    #expect(probe.state.search.list.isLoading)
    find(.success(swift), at: isLoaded ? 0 : 1)
    list(.success(issues))
    #expect(probe.state.picked == issues[1])
    #expect(probe.state.search.text == "apple/swift")
  }

  @Test func `picking keeps what was typed for the same list`() {
    type("https://github.com/Apple/Swift/issues")
    find(.success(swift))
    list(.success(issues))
    probe.send(.pick(7, of: swift.name))
    #expect(probe.state.search.text == "https://github.com/Apple/Swift/issues")
    #expect(probe.state.picked == issues[1])
  }

  @Test func `another text closes the picked issue`() {
    showIssues()
    probe.send(.pick(7))
    probe.send(.search(.term("apple/swift ")))
    #expect(probe.state.selection == 7, "the same text but for a space")
    probe.send(.search(.term("apple/swif")))
    #expect(probe.state.selection == nil)
    probe.send(.search(.term("apple/swift")))
    #expect(probe.state.selection == nil)
  }
}
