import Application
import CurlewScreens
import CurlewTesting
import Domain
import Synchronization
import Testing

/// The board of all repositories with a virtual clock; the test controls the host's events.
@Suite(.timeLimit(.minutes(1)))
struct BoardTests {
  let host = HeldCodeHost()
  let probe: ScreenProbe<Board>
  let swift: RepositoryName
  let cups: RepositoryName

  init() throws {
    probe = ScreenProbe(Board(host: host))
    swift = try #require(RepositoryName("apple/swift"))
    cups = try #require(RepositoryName("apple/cups"))
    probe.resume()
    probe.settle()
  }

  var streams: [HeldCodeHost.Stream.Continuation] { host.watched.all.withLock { $0.map(\.stream) } }

  /// Sends an event on the newest stream.
  func yield(_ content: IssueEvent.Content) {
    streams.last?.yield(IssueEvent(content, position: nil))
    probe.settle()
  }

  func open(_ number: Int, of name: RepositoryName) { yield(.opened(.sample(number, of: name))) }

  func end(_ error: (any Error)? = nil) {
    streams.last?.finish(throwing: error)
    probe.settle()
  }

  var issues: [String] { probe.state.issues.map { "\($0.repository)#\($0.number)" } }

  @Test func `issues of all repositories come on top, once`() {
    #expect(probe.state.isLoading)
    open(1, of: swift)
    open(1, of: cups)
    open(1, of: swift)
    #expect(issues == ["apple/cups#1", "apple/swift#1"])
    #expect(!probe.state.isLoading)
    for number in 2...50 { open(number, of: cups) }
    #expect(probe.state.issues.map(\.number) == (31...50).reversed())
  }

  @Test func `damaged entry is left out and the stream goes on`() {
    yield(.damaged(reason: "no number"))
    open(1, of: swift)
    #expect(probe.state.isDamaged)
    #expect(issues == ["apple/swift#1"])
  }

  @Test func `stream that ends or fails is read again after a pause`() {
    open(1, of: swift)
    end()
    #expect(probe.state.failure == nil)
    probe.advance(by: .seconds(1))
    #expect(streams.count == 2)
    end(Broke())
    #expect(probe.state.failure?.textOnly == .broke)
    // The stream brought no issue, so the pause is longer.
    probe.advance(by: .seconds(1))
    #expect(streams.count == 2)
    probe.advance(by: .seconds(1))
    #expect(streams.count == 3)
    open(2, of: swift)
    #expect(probe.state.failure == nil)
    #expect(issues == ["apple/swift#2", "apple/swift#1"])
  }

  @Test func `user need not wait for the pause`() {
    end(Broke())
    probe.send(.retry)
    probe.settle()
    #expect(streams.count == 2)
    #expect(probe.state.isLoading && probe.state.failure == nil)
    probe.advance(by: .seconds(60))
    #expect(streams.count == 2, "there is one stream")
  }

  @Test func `hidden board reads nothing`() {
    open(1, of: swift)
    probe.suspend()
    probe.settle()
    open(2, of: swift)
    probe.advance(by: .seconds(600))
    #expect(issues == ["apple/swift#1"])
    #expect(streams.count == 1)
    probe.resume()
    probe.settle()
    #expect(streams.count == 2)
    open(2, of: swift)
    #expect(issues == ["apple/swift#2", "apple/swift#1"])
  }

  @Test func `host without a stream is asked once`() {
    end(UnwatchableHost())
    #expect(probe.state.failure?.error is UnwatchableHost)
    probe.advance(by: .seconds(600))
    #expect(streams.count == 1)
  }
}
