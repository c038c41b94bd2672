import Application
import CurlewLive
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

@testable import showcase

/// The footer of a page with the age of its content.
@Suite(.timeLimit(.minutes(1)))
struct AgePageTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private typealias Drawn = (html: String, lines: [String], status: String)

  /// Renders each page with responses of the given age in seconds.
  private func pages(age: TimeInterval?, isOffline: Bool = false) -> [Drawn] {
    let servers = TwoOfEach(isSparse: true, asOf: age.map { Self.now.addingTimeInterval(-$0) })
    let flags: OfflineFlags = { AsyncStream { $0.yield(isOffline) } }
    let now: @Sendable () -> Date = { Self.now }
    let issues = IssueTracker(TrackIssues(host: servers))
    return [
      draw(IssuesPage(issues, isOffline: flags, now: now), "/issues?q=apple/swift"),
      draw(
        RepositoriesPage(Repositories(host: servers), isOffline: flags, now: now),
        "/repositories?language=swift"),
      draw(
        RepositoryPage(RepositoryDetail(host: servers), isOffline: flags, now: now),
        "/repositories/apple/swift"),
      draw(MoviesPage(Movies(catalogue: servers), isOffline: flags, now: now), "/movies/top-rated"),
      draw(TopMoviesPage(TopMovies(store: servers), isOffline: flags, now: now), "/itunes"),
    ]
  }

  private func draw(_ page: some ShowcasePage, _ address: String) -> Drawn {
    let drawn = DrawnPage(page, at: address)
    return (drawn.html, drawn.lines, drawn.status)
  }

  private func withoutTimes(_ html: String) -> String {
    html.replacing(#/<\/?time[^>]*>/#, with: "")
  }

  @Test func `each page says how old it is`() {
    for page in pages(age: 180) {
      #expect(
        withoutTimes(page.html).contains(
          #"<p id="age" class="age"><span>From 3 minutes ago</span></p>"#))
      #expect(page.lines.last == "From 3 minutes ago")
      #expect(!page.status.contains("ago"), "it is no news")
    }
  }

  /// A state that changes for another reason sends no ages: the page's own script updates them.
  @Test func `ages alone change nothing`() {
    let time = #/<time[^>]* data-live-ignore [^>]*>[^<]*<\/time>/#
    let (young, old) = (pages(age: 10), pages(age: 76))
    for (young, old) in zip(young, old) {
      #expect(young.html.contains(time))
      #expect(young.html.replacing(time, with: "") == old.html.replacing(time, with: ""))
    }
  }

  @Test(arguments: [0, 59, nil] as [TimeInterval?])
  func `new page says nothing`(age: TimeInterval?) {
    for page in pages(age: age) {
      // The script hides the age for the first minute, so no state change is needed to show it.
      #expect(page.html.contains(#"id="age""#) == (age != nil))
      #expect(!page.html.contains("minute"))
      #expect(!page.lines.contains { $0.contains("From") })
    }
  }

  @Test(
    arguments: [
      (180, "Offline: from 3 minutes ago"), (10, "Offline: from just now"), (nil, "Offline"),
    ] as [(TimeInterval?, String)])
  func `page without a network says so`(age: TimeInterval?, text: String) {
    for page in pages(age: age, isOffline: true) {
      #expect(
        withoutTimes(page.html).contains(
          #"<p id="age" class="age is-offline"><span>\#(text)</span></p>"#))
      #expect(page.lines.last == text)
    }
  }

  @Test func `page with nothing on it has no age`() {
    let page = draw(
      RepositoriesPage(
        Repositories(host: TwoOfEach(asOf: nil)), isOffline: { AsyncStream { $0.yield(true) } }),
      "/repositories")
    #expect(!page.html.contains(#"id="age""#))
  }

  @Test func `printed list says how old it is`() async throws {
    let listing = Listing([Dog(name: "Akita")], asOf: Self.now)
    let report = Report(
      list: try await Loaded(.one(1)) { _ in listing }, title: "dogs", nothing: "no dogs")
    #expect(report.age(at: Self.now.addingTimeInterval(59)) == nil)
    #expect(report.age(at: Self.now.addingTimeInterval(180)) == "From 3 minutes ago.")
  }

  @Test func `printed pages are as old as the oldest`() async throws {
    let loaded = try await Loaded(.all) { page in
      Listing(
        [Dog(name: "\(page)")], nextPage: page < 3 ? page + 1 : nil,
        asOf: Self.now.addingTimeInterval(page == 2 ? -9 : 0))
    }
    #expect(loaded.asOf == Self.now.addingTimeInterval(-9))
  }
}
