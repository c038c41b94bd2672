import Application
import CurlewLiveTesting
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Synchronization
import Testing

@testable import showcase

/// The page of a watched repository while issues are opened.
@Suite(.timeLimit(.minutes(1)))
struct WatchPageTests {
  private let servers = HeldServers()
  private let page: DrawnPage<WatchPage>
  private let name: RepositoryName

  /// Opens the page of a repository with two issues.
  init() throws {
    name = try #require(RepositoryName("apple/swift"))
    page = DrawnPage(WatchPage(Watch(host: servers)), at: "/watch?q=apple/swift")
    page.reply(Repository(name: name), to: servers.found)
    page.reply(Listing([2, 1], of: name), to: servers.issues)
  }

  /// Opens an issue, and sends its event on the newest stream.
  private func open(_ number: Int, onStream index: Int? = nil) {
    let streams = servers.streams.all.withLock { $0 }
    streams[index ?? streams.count - 1].events.yield(
      IssueEvent(.opened(.sample(number, of: name)), position: "\(number)"))
    page.probe.settle()
  }

  private var numbers: [String] {
    let numbers = page.elements.texts("#issues:not(.is-old) .number")
    return zip(page.elements.texts("#issues .title"), numbers).map { title, number in
      title.hasPrefix("New: ") ? "New: " + number : number
    }
  }

  @Test func `issues appear on top as they are opened`() {
    #expect(page.status == "Watching apple/swift: nothing new yet.")
    #expect(page.title == "apple/swift · Watch")
    #expect(numbers == ["#2", "#1"])
    open(3)
    open(4)
    #expect(numbers == ["New: #4", "New: #3", "#2", "#1"])
    #expect(page.elements.count("#issues .is-new") == 2)
    #expect(page.status == "2 new issues in apple/swift, the newest is #4.")
    #expect(page.elements.text("#status") == page.status)
    // Screen readers announce the news when they are idle.
    #expect(page.elements.attributes("aria-live", of: "#status") == ["polite"])
    #expect(page.title == "(2) apple/swift · Watch")
  }

  @Test func `pause keeps what comes until one goes on`() {
    open(3)
    page.click("#control")
    #expect(page.elements.attribute("data-live-click", of: "#control") == "resume")
    #expect(page.elements.text("#control") == "Resume")
    let paused = numbers
    #expect(paused == ["New: #3", "#2", "#1"])
    open(4, onStream: 0)
    page.probe.advance(by: .seconds(20))
    #expect(numbers == paused)
    #expect(page.status == "Paused. 1 new issue in apple/swift, the newest is #3.")

    page.click("#control")
    #expect(page.elements.attribute("data-live-click", of: "#control") == "pause")
    #expect(servers.streams.all.withLock { $0.map(\.position) } == [nil, "3"])
    for number in 3...5 { open(number) }
    // No issue is missing or duplicated.
    #expect(numbers == ["New: #5", "New: #4", "New: #3", "#2", "#1"])
  }
}
