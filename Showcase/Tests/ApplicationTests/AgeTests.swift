import Application
import CurlewScreens
import Domain
import Foundation
import ShowcaseTestSupport
import Testing

/// The screens show the age of the servers' responses.
@Suite(.timeLimit(.minutes(1)))
struct AgeTests {
  let host = HeldCodeHost()
  let then = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(
    arguments: [
      (-3_600.0, nil), (0, nil), (59, nil), (60, "1 minute ago"), (180, "3 minutes ago"),
      (7_200, "2 hours ago"), (86_400, "1 day ago"),
    ] as [(TimeInterval, String?)])
  func `age is said from a minute on`(seconds: TimeInterval, text: String?) {
    #expect(then.age(at: then.addingTimeInterval(seconds)) == text)
  }

  // MARK: Refreshing

  @Test func `what is shown is refreshed and what failed is retried`() throws {
    let screen = RepositoryDetail(host: host)
    let name = try #require(RepositoryName("apple/swift"))
    #expect(screen.event(refreshing: screen.initial) == nil)
    guard case .detail(.refresh)? = screen.event(refreshing: .init(id: name)) else {
      Issue.record("no refresh")
      return
    }
    let failed = RepositoryDetail.State(
      id: name, content: .failed(LoadFailure(message: "It broke."), last: nil))
    guard case .detail(.retry)? = screen.event(refreshing: failed) else {
      Issue.record("no retry")
      return
    }
  }

  @Test func `half a typed name is not searched in the background`() {
    let search = Search<Int> { _ in [] }
    #expect(search.event(refreshing: search.initial) == nil)
    #expect(
      search.event(refreshing: .init(text: "a/b", results: .content([1]))) == .submit)
    #expect(
      search.event(refreshing: .init(text: "a/bc", term: "a/b", results: .content([1]))) == nil)
    let screen = Repositories(host: host)
    let list = Feed<Repository>.State(items: Repository.samples(1...2))
    #expect(screen.event(refreshing: screen.initial) == nil)
    #expect(screen.event(refreshing: .init(text: "swift", list: list)) != nil)
    #expect(screen.event(refreshing: .init(text: "swif", term: "swift", list: list)) == nil)
  }
}
