import Application
import CurlewLive
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Testing

@testable import showcase

/// Pages say what is missing in a list, and don't take an unknown count for 0.
@Suite(.timeLimit(.minutes(1)))
struct LeftOutPageTests {
  /// Servers whose lists have one item of which little is known, and some that can't be read.
  private struct Sparse: CodeHost, MovieCatalogue, MovieStore {
    let name: RepositoryName
    let damaged: [DamagedEntry]

    func repository(named name: RepositoryName) -> Repository? { Repository(name: name) }
    func repositories(in language: String, page: Int) -> Listing<Repository> {
      Listing([Repository(name: name)], damaged: damaged)
    }
    func openIssues(of repository: Repository, page: Int) -> Listing<Domain.Issue> {
      let issue = Domain.Issue(
        repository: name, number: 1, title: "Make it so", body: "", labels: [], author: "ada",
        createdAt: .distantPast, comments: nil)
      return Listing([issue], damaged: damaged)
    }
    func movie(_ key: MovieKey) -> Movie? { nil }
    func movies(in list: MovieList, language: String, page: Int) -> Listing<Movie> {
      let movie = Movie(
        id: 1, title: "Alien", poster: nil, releaseDate: "", voteAverage: nil, voteCount: nil,
        overview: "")
      return Listing([movie], damaged: damaged)
    }
    func topMovies(in country: String, limit: Int) -> Listing<StoreMovie> {
      let movie = StoreMovie(
        id: "1", rank: 4, title: "Alien", image: nil, releaseDate: "", amount: "9.99",
        currency: "USD", rentalPrice: nil, category: "", link: nil, summary: nil)
      return Listing([movie], damaged: damaged)
    }
  }

  /// Draws each list with so many entries left out.
  private func pages(leavingOut count: Int) throws -> [String] {
    let name = try #require(RepositoryName("apple/swift"))
    let damaged = (0..<count).map { DamagedEntry(index: $0, reason: "items[\($0)].name: no name") }
    let servers = Sparse(name: name, damaged: damaged)
    return [
      draw(IssuesPage(IssueTracker(TrackIssues(host: servers))), "/issues?q=\(name)"),
      draw(RepositoriesPage(Repositories(host: servers)), "/repositories?language=swift"),
      draw(MoviesPage(Movies(catalogue: servers)), "/movies/top-rated"),
      draw(TopMoviesPage(TopMovies(store: servers)), "/itunes"),
    ]
  }

  private func draw<Page: LivePage>(_ page: Page, _ address: String) -> String {
    let probe = ScreenProbe(page.screen)
    for event in page.events(for: page.query(of: address) ?? [:], in: probe.state) {
      probe.send(event)
    }
    probe.settle()
    return page.render(probe.state).text
  }

  @Test func everyListSaysHowManyEntriesWereLeftOut() throws {
    for page in try pages(leavingOut: 2) {
      #expect(page.contains("2 entries could not be read and were left out."))
      #expect(page.contains("<li>Entry 2 could not be read.</li>"))
      #expect(!page.contains("items["), "coding paths are for logs")
      #expect(!page.contains("These are all") && !page.contains("This is the only one"))
    }
    for page in try pages(leavingOut: 1) {
      #expect(page.contains("1 entry could not be read and was left out."))
    }
    for page in try pages(leavingOut: 0) { #expect(!page.contains("left out")) }
  }

  @Test func onlyTheFirstOfManyEntriesAreNamed() throws {
    for page in try pages(leavingOut: 50_000) {
      #expect(page.contains("50,000 entries could not be read and were left out."))
      #expect(page.contains("<li>Entry 20 could not be read.</li><li>and 49,980 more</li></ul>"))
    }
  }

  @Test func terminalSaysHowManyEntriesWereLeftOut() throws {
    let name = try #require(RepositoryName("apple/swift"))
    let servers = Sparse(name: name, damaged: [DamagedEntry(index: 0, reason: "no name")])
    let page = TopMoviesPage(TopMovies(store: servers))
    let probe = ScreenProbe(page.screen)
    for event in page.events(for: page.query(of: "/itunes") ?? [:], in: probe.state) {
      probe.send(event)
    }
    probe.settle()
    let lines = page.lines(of: probe.state)
    #expect(lines.count == 2)
    #expect(lines.last == "1 entry could not be read and was left out.")
  }

  @Test func titleDoesNotReverseWhatComesAfterIt() {
    let text = "a\u{202E}b\u{2066}c\u{200F}"
    #expect(text.withoutDirectionControls == "abc\u{200F}")
    let template = Template(Array("<p>{{title}}</p>".utf8))
    #expect(template.draw(["title": text]).text == "<p>abc\u{200F}</p>")
  }

  @Test func unknownCountsAreNotShownAsNone() throws {
    for page in try pages(leavingOut: 0) {
      #expect(!page.contains("no comments"))
      #expect(!page.contains("No votes yet"))
      #expect(!page.contains(/>0</))
      #expect(!page.contains("stars"))
      #expect(!page.contains("forks"))
    }
  }

  @Test func rankIsThatOfTheStore() throws {
    #expect(try pages(leavingOut: 0)[3].contains(/class="rank"[^>]*>4</))
  }
}
