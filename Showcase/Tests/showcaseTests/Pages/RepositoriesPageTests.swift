import Application
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The page of a language's repositories during loads and after failures.
@Suite(.timeLimit(.minutes(1)))
struct RepositoriesPageTests {
  private let servers = HeldServers()

  private func open(_ address: String) -> DrawnPage<RepositoriesPage> {
    DrawnPage(RepositoriesPage(Repositories(host: servers)), at: address)
  }

  /// Types a language letter by letter, and waits for the search.
  private func type(_ text: String, on page: DrawnPage<RepositoriesPage>) {
    for count in 1...text.count {
      page.act("term", String(text.prefix(count)))
      page.probe.advance(by: .milliseconds(100))
    }
    page.probe.advance(by: .milliseconds(400))
  }

  private func names(on page: DrawnPage<RepositoriesPage>) -> [String] {
    page.elements.texts("#list .name")
  }

  @Test func `typing a language shows its repositories by stars`() {
    let page = open("/repositories")
    #expect(page.elements.has("#idle"))
    type("kotlin", on: page)
    #expect(servers.lists.requested == ["kotlin 1"], "one search for six keys")
    page.reply(Listing(1...2, nextPage: 2, total: 1_234), to: servers.lists)
    #expect(page.address == "?language=kotlin")
    #expect(page.title == "kotlin · Repositories")
    #expect(names(on: page) == ["owner/n1", "owner/n2"])
    #expect(
      page.elements.texts("#list .fact")
        == ["Kotlin", "1.2k stars", "1 forks", "Kotlin", "1.2k stars", "2 forks"])
    #expect(page.status == "1,234 repositories in kotlin, 2 shown")
    #expect(page.elements.text("#status") == page.status)
  }

  @Test func `a page that fails leaves those before it`() {
    let page = open("/repositories?language=swift")
    page.reply(Listing(1...10, nextPage: 2, total: 20), to: servers.lists)
    let first = names(on: page)
    #expect(first.count == 10)
    page.click("#more a")
    page.fail(servers.lists)
    #expect(page.elements.has("#failure.toast"))
    #expect(names(on: page) == first)
    #expect(!page.elements.has("#list.is-old"))
    #expect(page.status == "10 are shown; the next page could not be loaded.")
    // The error can be dismissed; its effect on the list remains.
    page.click("#failure button")
    #expect(!page.elements.has("#failure"))
    #expect(page.elements.text("#more a") == "Retry the next page")

    page.click("#more a")
    page.reply(Listing(11...20, total: 20), to: servers.lists)
    #expect(servers.lists.requested == ["swift 1", "swift 2", "swift 2"])
    #expect(names(on: page).count == 20)
    #expect(names(on: page).starts(with: first))
    #expect(!page.elements.has("#failure"))
    #expect(page.elements.text("#end") == "All 20 are shown.")
  }

  @Test func `nothing there is a failure that can be repeated and put away`() {
    let page = open("/repositories?language=swift")
    page.fail(servers.lists)
    #expect(page.elements.has("#failure.notice"))
    #expect(page.status == "The repositories could not be loaded.")
    #expect(page.elements.attribute("role", of: "#failure .words .words") == "alert")
    page.click("#failure button")
    #expect(page.elements.has("#unloaded"))
    #expect(!page.elements.has("#failure"))

    page.click("#unloaded a")
    page.reply(Listing(1...2), to: servers.lists)
    #expect(names(on: page).count == 2)
    #expect(!page.elements.has("#unloaded"))
  }

  @Test func `partial results are said to be and looked for again`() {
    let page = open("/repositories?language=rust")
    page.reply(Listing(1...2, isIncomplete: true), to: servers.lists)
    #expect(page.elements.text("#partial p")?.hasPrefix("GitHub's search timed out") == true)
    #expect(names(on: page).count == 2)
    page.click("#partial a")
    page.reply(Listing(1...3), to: servers.lists)
    #expect(!page.elements.has("#partial"))
    #expect(names(on: page).count == 3)
  }

  @Test func `of two refused stars the newest is shown first`() {
    let page = open("/repositories?language=swift")
    page.act("star", "owner/n0")
    page.act("star", "owner/n1")
    let ids = page.probe.activity.alerts.map { "\($0.id)" }
    #expect(page.elements.count("#refusal") == 1 && ids == ["1", "2"])
    for id in ids.reversed() {
      let dismiss = "#refusal [data-live-click=live:dismiss]"
      #expect(page.elements.attribute("data-live-value", of: dismiss) == id)
      page.click(dismiss)
    }
    #expect(!page.elements.has("#refusal"))
  }

  @Test func `a filter is chosen, applied and part of the address`() {
    let page = open("/repositories?language=swift")
    page.reply(Listing(199...201, nextPage: 2, total: 55), to: servers.lists)
    page.click("#filter-link")
    #expect(page.address == "?language=swift&filter=0")
    #expect(page.elements.texts("#filter .segments a") == ["All", "100+", "1,000+", "10,000+"])
    page.act("minimum", "1000")
    #expect(page.address == "?language=swift&filter=1000")
    #expect(page.elements.text("#filter [aria-current]") == "1,000+")
    #expect(names(on: page).count == 3 && servers.lists.requested.count == 1)
    page.click("#apply")
    #expect(!page.elements.has("#filter") && page.address == "?language=swift&stars=1000")
    page.reply(Listing(199...201, nextPage: 2, total: 55), to: servers.lists)
    #expect(names(on: page) == ["owner/n199", "owner/n200"])
    #expect(page.status == "2 repositories in swift with at least 1,000 stars")
    #expect(page.elements.text("#end") == "All 2 are shown.")
    #expect(page.elements.text("#filter-link") == "Filter: 1,000+")

    // A dismissed choice has no effect.
    page.click("#filter-link")
    page.act("minimum", "10000")
    page.click("#filter [data-live-escape]")
    #expect(page.address == "?language=swift&stars=1000" && names(on: page).count == 2)
    // As when the user goes back.
    page.go(to: "/repositories?language=swift")
    page.reply(Listing(1...2), to: servers.lists)
    #expect(page.address == "?language=swift" && names(on: page).count == 2)
  }

  @Test func `an unknown language is nothing found`() {
    let page = open("/repositories")
    type("klingon", on: page)
    page.reply(Listing([]), to: servers.lists)
    #expect(page.elements.has("#empty"))
    #expect(page.status == "Nothing found for klingon.")
    #expect(page.elements.text("#empty strong") == "klingon")
    // The examples allow the user to continue.
    let examples = page.elements.attributes("href", of: "#empty .examples a")
    #expect(examples[2] == "/repositories?language=Rust")
    #expect(
      page.elements.attributes("data-live-value", of: "#empty .examples a")[2] == "?language=Rust")
    page.go(to: examples[2])
    page.reply(Listing(1...2), to: servers.lists)
    #expect(names(on: page).count == 2)
    #expect(page.address == "?language=Rust")
    #expect(page.elements.attribute("value", of: "#language") == "Rust")
  }
}
