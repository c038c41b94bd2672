import Application
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

@testable import showcase

/// The markup of pages is split into small fragments, so that a change sends little data.
@Suite(.timeLimit(.minutes(1)))
struct FragmentTests {
  /// The markup of every page in several states.
  private var drawn: [String] {
    var all: [String] = []
    for servers in [TwoOfEach(), TwoOfEach(error: Broken()), TwoOfEach(isEmpty: true)] {
      for address in ["/issues?q=apple/swift&issue=7", "/issues"] {
        all += draw(IssuesPage(IssueTracker(TrackIssues(host: servers))), address)
      }
      for address in ["/repositories?language=swift&page=3", "/repositories"] {
        all += draw(RepositoriesPage(Repositories(host: servers)), address)
      }
      for address in ["/watch?q=apple/swift", "/watch"] {
        all += draw(WatchPage(Watch(host: servers)), address)
      }
      for address in ["/dogs?q=ak", "/dogs"] { all += draw(DogsPage(DogSearch(servers)), address) }
      for address in ["/?q=ak", "/"] { all += draw(HomePage(servers), address) }
      let detail = RepositoryDetail(host: servers)
      all += draw(RepositoryPage(detail), "/repositories/apple/swift")
      all += draw(MoviesPage(Movies(catalogue: servers)), "/movies/top-rated?page=2")
      all += draw(TopMoviesPage(TopMovies(store: servers)), "/itunes")
    }
    return all
  }

  /// Renders a page as it is, and while it reloads.
  private func draw<Page: ShowcasePage>(_ page: Page, _ address: String) -> [String] {
    let drawn = DrawnPage(page, at: address)
    let first = drawn.html
    drawn.act("refresh")
    drawn.act("live:dismiss", "1")
    return [first, drawn.html]
  }

  @Test func `each element is closed`() {
    for html in drawn {
      #expect(Markup(html).errors == [], "\(html)")
    }
  }

  @Test func `no two children of a fragment have the same key`() {
    for html in drawn {
      for fragment in Markup(html).fragments {
        let keys = fragment.children.map(\.key)
        #expect(Set(keys).count == keys.count, "\(fragment.key): \(keys)")
      }
    }
  }

  /// Elements that appear or disappear change the markup of the surrounding fragment.
  @Test func `what comes and goes is in a small fragment`() throws {
    for html in drawn {
      let root = Markup(html).root
      #expect(root.children.map(\.key) == ["page"])
      #expect(root.length <= 1, "nothing beside the page but a line's end")
      let page = try #require(root.children.first)
      #expect(page.length < 200, "\(page.length) bytes of its own")
    }
  }

  @Test func `status rows and links are fragments`() throws {
    let html = DrawnPage(
      RepositoriesPage(Repositories(host: TwoOfEach())), at: "/repositories?language=swift&page=3"
    ).html
    let keys = Markup(html).fragments.map(\.key)
    for key in ["status", "progress", "previous", "list", "apple/swift", "more", "refresh", "age"] {
      #expect(keys.contains(key), "\(key) of \(keys)")
    }
    let list = try #require(Markup(html).fragments.first { $0.key == "list" })
    #expect(list.children.map(\.key) == ["apple/swift", "vapor/vapor"])
  }

  /// The last row of a page doesn't change when the next page is loaded.
  @Test func `rows stay the same when more come`() {
    let page = DrawnPage(MoviesPage(Movies(catalogue: TwoOfEach())), at: "/movies/top-rated")
    let row = /<li class="movie" data-key="2".*?<\/li>/.dotMatchesNewlines()
    let before = page.html.firstMatch(of: row)?.0
    #expect(
      page.html.contains(#"<i data-key="2" data-live-appear="appeared" data-live-value="2">"#))
    page.act("appeared", "2")
    #expect(before != nil && page.html.firstMatch(of: row)?.0 == before)
  }
}
