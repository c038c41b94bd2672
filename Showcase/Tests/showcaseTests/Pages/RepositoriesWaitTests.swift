import Application
import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The pages of repositories during slow loads.
@Suite(.timeLimit(.minutes(1)))
struct RepositoriesWaitTests {
  private let servers = HeldServers()
  private let name: RepositoryName

  init() throws { name = try #require(RepositoryName("owner/n1")) }

  @Test func `refreshing keeps the rows until the new ones are there`() {
    let page = DrawnPage(
      RepositoriesPage(Repositories(host: servers)), at: "/repositories?language=c")
    page.reply(Listing(1...2), to: servers.lists)
    page.click("#refresh")
    #expect(page.elements.has("#list.is-old"))
    #expect(!page.elements.has("#progress.is-on"))
    page.probe.advance(by: .milliseconds(200))
    #expect(page.elements.has("#progress.is-on"))
    #expect(page.elements.count("#list.is-old .name") == 2)
    #expect(!page.elements.has("#skeleton"))
    page.reply(Listing(1...3), to: servers.lists)
    #expect(page.elements.count("#list:not(.is-old) .name") == 3)
    page.probe.advance(by: .milliseconds(500))
    #expect(!page.elements.has("#progress.is-on"))
  }

  @Test func `a skeleton is shown only where it takes long`() {
    let page = DrawnPage(RepositoriesPage(Repositories(host: servers)), at: "/repositories")
    page.act("term", "go")
    page.act("submit")
    #expect(page.elements.has("#status.is-loading"))
    #expect(!page.elements.has("#skeleton") && !page.elements.has("#progress.is-on"))
    page.probe.advance(by: .milliseconds(200))
    #expect(page.elements.has("#skeleton") && page.elements.has("#progress.is-on"))
    page.reply(Listing(1...2), to: servers.lists)
    #expect(page.elements.has("#list .name"))
    page.probe.advance(by: .milliseconds(500))
    #expect(!page.elements.has("#skeleton") && !page.elements.has("#progress.is-on"))

    // From here on, the clock doesn't advance.
    let count = page.probe.states.count
    page.act("term", "")
    #expect(page.elements.has("#idle"))
    page.act("term", "rust")
    page.act("submit")
    page.reply(Listing(1...2), to: servers.lists)
    #expect(page.elements.count("#list .name") == 2)
    let states = page.probe.states.dropFirst(count).map {
      PageElement(page.page.render($0, page.probe.activity).text)
    }
    #expect(states.count > 2)
    #expect(page.probe.activities.last == ScreenActivity())
    #expect(!states.contains { $0.has("#skeleton") || $0.has("#progress.is-on") })
  }

  /// Opens the page of a repository from a list.
  private func openListed() -> DrawnPage<RepositoryPage> {
    let recent = RecentValues<RepositoryName, Repository>()
    let list = DrawnPage(
      RepositoriesPage(Repositories(host: servers, recent: recent)),
      at: "/repositories?language=kotlin")
    list.reply(Listing(1...2), to: servers.lists)
    return DrawnPage(
      RepositoryPage(RepositoryDetail(host: servers, recent: recent)), at: "/repositories/\(name)")
  }

  private var whole: Repository {
    Repository(
      name: name, language: "Kotlin", stars: 1_199, forks: 1, watchers: 40, openIssues: 3)
  }

  @Test func `what the list knew is there while the rest is loaded`() {
    let page = openListed()
    #expect(page.elements.text("h1") == "owner/n1")
    #expect(page.elements.texts("#status") == ["Loading the details of owner/n1…"])
    #expect(page.elements.count("#repository .bone") == 1, "watchers only")
    #expect(page.elements.texts("#repository dd") == ["1,199", "1", "loading", "3"])
    page.reply(whole, to: servers.found)
    #expect(!page.elements.has(".bone"))
    #expect(page.elements.texts("#repository dd") == ["1,199", "1", "40", "3"])
  }

  @Test func `what the list knew stays when the rest fails`() {
    let page = openListed()
    page.fail(servers.found)
    #expect(page.elements.has("#repository") && page.elements.has("#failure.toast"))
    #expect(page.elements.texts("#repository dd") == ["1,199", "1", "–", "3"])
    #expect(page.elements.texts("#status") == ["The details could not be loaded."])
    page.click("#failure a")
    #expect(!page.elements.has("#failure"))
    page.reply(whole, to: servers.found)
    #expect(page.elements.texts("#repository dd")[2] == "40")
    #expect(servers.found.requested.count == 2)
  }

  @Test func `slow and failing lists of movies show it`() {
    let page = DrawnPage(TopMoviesPage(TopMovies(store: servers)), at: "/itunes")
    page.probe.advance(by: .milliseconds(200))
    #expect(page.elements.has("#skeleton"))
    let movies = try? TwoOfEach().topMovies(in: "us", limit: 25)
    page.reply(movies ?? Listing([]), to: servers.sales)
    #expect(page.elements.count("#list .store") == 2)
    #expect(!page.elements.has("#skeleton"))
    page.click("#refresh")
    page.fail(servers.sales)
    #expect(page.elements.has("#failure.toast"))
    #expect(page.elements.count("#list .store") == 2, "the shown rows stay")
    page.click("#failure a")
    page.reply(movies ?? Listing([]), to: servers.sales)
    #expect(!page.elements.has("#failure"))
    #expect(page.elements.count("#list:not(.is-old) .store") == 2)
  }
}
