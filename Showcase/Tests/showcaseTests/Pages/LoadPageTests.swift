import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The status of a page during, after and after a failure of a load.
@Suite(.timeLimit(.minutes(1)))
struct LoadPageTests {
  @Test func `long total is readable`() throws {
    let servers = try #require(HardServers())
    let page = RepositoriesPage(Repositories(host: servers))
    let drawn = DrawnPage(page, at: "/repositories?language=swift")
    #expect(drawn.status == "1,234,567 repositories in swift, 1 shown")
  }

  @Test func `retry that fails again offers another one`() {
    let tracker = IssueTracker(TrackIssues(host: TwoOfEach(error: Broken())))
    let drawn = DrawnPage(IssuesPage(tracker), at: "/issues?q=apple/swift")
    for _ in 1...2 {
      #expect(drawn.status == "The issues could not be loaded.")
      #expect(drawn.html.contains(#"data-live-click="retry">Try again<"#))
      #expect(!drawn.html.contains("is-loading"))
      let steps = drawn.probe.steps.count
      drawn.act("retry")
      #expect(drawn.probe.steps.count > steps, "it was asked for again")
    }
  }

  @Test func `skeleton stands in for what takes long`() {
    let gate = Gate()
    let servers = TwoOfEach(gate: gate)
    let movies = DrawnPage(MoviesPage(Movies(catalogue: servers)), at: "/movies/now-playing")
    #expect(movies.status == "Loading “Now playing”…")
    expectSkeleton(on: movies, before: #"<ol id="list""#, until: gate)
  }

  @Test func `skeleton stands in for a repository that nobody knows`() {
    let gate = Gate()
    let detail = RepositoryDetail(host: TwoOfEach(gate: gate))
    let repository = DrawnPage(RepositoryPage(detail), at: "/repositories/apple/swift")
    expectSkeleton(on: repository, before: #"<article id="repository""#, until: gate)
  }

  /// Expects a placeholder only after a delay, and only until a gate is opened.
  private func expectSkeleton<Page>(
    on drawn: DrawnPage<Page>, before content: String, until gate: Gate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var shown: [Bool] { [#"id="skeleton""#, content].map { drawn.html.contains($0) } }
    #expect(shown == [false, false], sourceLocation: sourceLocation)
    drawn.probe.advance(by: .milliseconds(200))
    #expect(shown == [true, false], sourceLocation: sourceLocation)
    gate.open()
    drawn.probe.settle()
    #expect(shown == [false, true], sourceLocation: sourceLocation)
  }
}
