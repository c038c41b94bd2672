import Application
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

/// The issue tracker on a virtual clock; the host's responses come when a test gives them.
@Suite(.timeLimit(.minutes(1)))
struct IssueTrackerTests {
  let host = HeldHost()
  let probe: ScreenProbe<IssueTracker>
  let swift: Repository
  let issues: [Domain.Issue]

  init() throws {
    probe = ScreenProbe(IssueTracker(TrackIssues(host: host)))
    let name = try #require(RepositoryName("apple/swift"))
    swift = Repository(name: name)
    issues = [.sample(12, of: name), .sample(7, of: name)]
  }

  /// Types a text and lets it rest for the debounce interval.
  func type(_ text: String) {
    probe.send(.search(.term(text)))
    probe.advance(by: .milliseconds(500))
  }

  func find(_ result: Result<Repository?, any Error>, at index: Int = 0) {
    host.repositories.reply(result, to: index)
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

  // MARK: The chain

  @Test func repositoryIsFoundAndItsIssuesAreShown() {
    type("apple/swift")
    #expect(probe.state.search.list.status == .loading(.first))
    #expect(host.repositories.requested.map(\.description) == ["apple/swift"])
    find(.success(swift))
    #expect(probe.state.search.list.status == .loading(.first))
    list(.success(issues))
    #expect(probe.state.search.list.items == issues)
    #expect(host.issues.requested.map(\.description) == ["apple/swift"])
  }

  @Test func whatWasLeftOutIsCountedUntilAnotherRepositoryIsShown() {
    type("apple/swift")
    find(.success(swift))
    let damaged = [DamagedEntry(index: 4, reason: "no title")]
    host.issues.reply(.success(Listing(issues, damaged: damaged)))
    probe.settle()
    #expect(probe.state.search.list.omissions == ["Entry 5 could not be read."])
    type("apple/cups")
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.search.list.omissions == [])
  }

  @Test func addressOfThePageWorksAsWell() {
    type("https://github.com/apple/swift/issues")
    #expect(host.repositories.requested.map(\.description) == ["apple/swift"])
  }

  @Test func nothingFoundIsEmptyAndNoError() {
    type("nobody/nothing")
    find(.success(nil))
    #expect(probe.state.search.list.status == .empty)
    #expect(probe.state.search.hint == nil)
    #expect(host.issues.requested == [])
  }

  @Test func repositoryWithoutIssuesIsEmptyToo() {
    type("apple/swift")
    find(.success(swift))
    list(.success([]))
    #expect(probe.state.search.list.status == .empty)
  }

  @Test func failureShowsItsWordsAndARetryRepeatsTheWholeChain() {
    type("apple/swift")
    find(.success(swift))
    list(.failure(Broken()))
    #expect(probe.state.search.list.failure?.textOnly == LoadFailure(message: "It broke."))
    probe.send(.search(.list(.retry)))
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.search.list.items == issues)
    #expect(host.repositories.requested.count == 2)
  }

  @Test func laterPagesTakeOneRequestEach() throws {
    let moved = Repository(name: try #require(RepositoryName("swiftlang/swift")))
    type("apple/swift")
    find(.success(moved))
    host.issues.reply(.success(Listing([.sample(12, of: moved.name)], nextPage: 2)))
    probe.settle()
    probe.send(.search(.list(.more)))
    list(.success([.sample(7, of: moved.name)]))
    #expect(probe.state.search.list.items.map(\.number) == [12, 7])
    #expect(probe.state.search.list.status == .ended)
    #expect(host.repositories.requested.count == 1)
    #expect(host.issues.requested == [moved.name, moved.name], "by its present name")
  }

  @Test func pageOfAnAddressFindsItsRepositoryFirst() {
    probe.send(.search(.term("apple/swift")))
    probe.send(.search(.submit(from: .number(2))))
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.search.list.items == issues)
    #expect(host.repositories.requested.count == 1)
  }

  @Test func chainThatIsReplacedWhileItFindsNeverAsksForIssues() {
    type("apple/swif")
    type("apple/swift")
    find(.success(swift), at: 0)  // the response to the first text, too late
    #expect(host.issues.requested == [])
    find(.success(swift))
    list(.success(issues))
    #expect(host.issues.requested.count == 1)
    #expect(probe.state.search.list.items == issues)
  }

  @Test func chainThatIsClearedWhileItFindsNeverAsksForIssues() {
    type("apple/swift")
    probe.send(.search(.term("")))
    find(.success(swift))
    #expect(host.issues.requested == [])
    #expect(probe.state.search.list.status == .idle)
  }

  // MARK: The hint

  @Test(arguments: ["app", "apple/", "apple", "/swift", "apple/swift/", "apple/.."])
  func textThatIsNoNameSaysWhatToTypeAndAsksNoServer(text: String) {
    type(text)
    probe.send(.search(.submit()))
    #expect(probe.state.search.hint == IssueTracker.hint)
    #expect(probe.state.search.list.status == .idle)
    #expect(host.repositories.requested == [])
  }

  @Test func hintGoesWithTheTextAndWithAName() {
    type("app")
    #expect(probe.state.search.hint != nil)
    type("")
    #expect(probe.state.search.hint == nil)
    type("app")
    type("apple/swift")
    #expect(probe.state.search.hint == nil)
  }

  // MARK: The picked issue

  @Test func pickedIssueIsShownUntilItIsClosed() {
    showIssues()
    #expect(probe.state.picked == nil)
    probe.send(.pick(7))
    #expect(probe.state.picked == issues[1])
    probe.send(.close)
    #expect(probe.state.picked == nil)
    #expect(probe.state.search.list.items == issues)
  }

  @Test func issuePickedBeforeTheListIsThereIsShownAsSoonAsItIs() {
    type("apple/swift")
    probe.send(.pick(12))
    #expect(probe.state.picked == nil)
    find(.success(swift))
    list(.success(issues))
    #expect(probe.state.picked == issues[0])
  }

  @Test func pickingANumberThatIsNotThereShowsNothing() {
    showIssues()
    probe.send(.pick(999))
    #expect(probe.state.picked == nil)
  }

  @Test func pickedRowIsOneOfTheListThatWasShown() {
    showIssues()
    probe.send(.search(.term("apple/swift-nio")))
    probe.send(.pick(7, of: swift.name))
    #expect(probe.state.search.text == "apple/swift")
    #expect(probe.state.picked == issues[1])
    probe.advance(by: .seconds(5))
    #expect(probe.state.picked == issues[1])
    #expect(host.repositories.requested.map(\.description) == ["apple/swift"], "it is there")
  }

  @Test(arguments: [false, true])
  func pickedRowOfTheListBeforeBringsItBack(isLoaded: Bool) throws {
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

  @Test func pickingKeepsWhatWasTypedForTheSameList() {
    type("https://github.com/Apple/Swift/issues")
    find(.success(swift))
    list(.success(issues))
    probe.send(.pick(7, of: swift.name))
    #expect(probe.state.search.text == "https://github.com/Apple/Swift/issues")
    #expect(probe.state.picked == issues[1])
  }

  @Test func anotherTextClosesThePickedIssue() {
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

private struct Broken: LocalizedError {
  var errorDescription: String? { "It broke." }
}

/// A host whose responses come when a test gives them, even to a question that was cancelled.
struct HeldHost: CodeHost {
  let repositories = PendingResponses<RepositoryName, Repository?>()
  let issues = PendingResponses<RepositoryName, Listing<Domain.Issue>>()

  func repository(named name: RepositoryName) async throws -> Repository? {
    try await repositories.next(for: name)
  }

  func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
    Listing([])
  }

  func openIssues(
    of repository: Repository, page: Int
  ) async throws -> Listing<Domain.Issue> {
    try await issues.next(for: repository.name)
  }
}

extension Domain.Issue {
  static func sample(_ number: Int, of repository: RepositoryName) -> Self {
    Self(
      repository: repository, number: number, title: "Issue \(number)", body: "At length",
      labels: [], author: "ada", createdAt: Date(timeIntervalSince1970: 0), comments: 0)
  }
}
