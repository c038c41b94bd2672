import Application
import CurlewLive
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

@testable import showcase

/// Pages report skipped entries, and don't show an unknown count as 0.
@Suite(.timeLimit(.minutes(1)))
struct LeftOutPageTests {
  /// Renders each list with a number of skipped entries.
  private func pages(leavingOut count: Int) -> [String] {
    let damaged = (0..<count).map { DamagedEntry(index: $0, reason: "items[\($0)].name: no name") }
    let servers = TwoOfEach(isSparse: true, asOf: nil, damaged: damaged)
    return [
      DrawnPage(IssuesPage(IssueTracker(TrackIssues(host: servers))), at: "/issues?q=apple/swift")
        .html,
      DrawnPage(RepositoriesPage(Repositories(host: servers)), at: "/repositories?language=swift")
        .html,
      DrawnPage(MoviesPage(Movies(catalogue: servers)), at: "/movies/top-rated").html,
      DrawnPage(TopMoviesPage(TopMovies(store: servers)), at: "/itunes").html,
    ]
  }

  @Test func `every list says how many entries were left out`() throws {
    for page in pages(leavingOut: 2) {
      #expect(page.contains("2 entries can’t be shown."))
      #expect(page.contains("<li>Number 2 of the list can’t be shown.</li>"))
      #expect(!page.contains("items["), "coding paths are for logs")
      #expect(!page.contains(" are shown.") && !page.contains("This is the only entry"))
    }
    for page in pages(leavingOut: 1) {
      #expect(page.contains("1 entry can’t be shown."))
    }
    for page in pages(leavingOut: 0) { #expect(!page.contains("left out")) }
  }

  @Test func `only the first of many entries are named`() throws {
    for page in pages(leavingOut: 50_000) {
      #expect(page.contains("50,000 entries can’t be shown."))
      #expect(
        page.contains("<li>Number 20 of the list can’t be shown.</li><li>and 49,980 more</li></ul>")
      )
    }
  }

  @Test func `terminal says how many entries were left out`() throws {
    let damaged = [DamagedEntry(index: 0, reason: "no name")]
    let page = TopMoviesPage(
      TopMovies(store: TwoOfEach(isSparse: true, asOf: nil, damaged: damaged)))
    let lines = DrawnPage(page, at: "/itunes").lines
    #expect(lines.count == 2)
    #expect(lines.last == "1 entry can’t be shown.")
  }

  @Test func `title does not reverse what comes after it`() {
    struct Kennel: DogSource {
      func dogs(named text: String) async throws -> [Dog] {
        [Dog(name: "a\u{202E}b\u{2066}c\u{200F}")]
      }
    }
    let page = DrawnPage(DogsPage(DogSearch(Kennel())), at: "/dogs?q=a")
    #expect(page.html.contains(">abc\u{200F}</a>"))
  }

  @Test func `unknown counts are not shown as none`() throws {
    for page in pages(leavingOut: 0) {
      #expect(!page.contains("no comments"))
      #expect(!page.contains("No votes yet"))
      #expect(!page.contains(/>0</))
      #expect(!page.contains("stars"))
      #expect(!page.contains("forks"))
    }
  }

  @Test func `rank is that of the store`() throws {
    #expect(pages(leavingOut: 0)[3].contains(/class="rank"[^>]*>4</))
  }
}
