import Application
import CurlewLiveTesting
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The search for dogs, and the home page, which contains such a search.
@Suite(.timeLimit(.minutes(1)))
struct DogsPageTests {
  private func dogs(_ names: String...) -> [Dog] { names.map { Dog(name: $0) } }

  @Test func `the search takes its time and finds`() {
    let servers = HeldServers()
    let page = DrawnPage(DogsPage(DogSearch(servers)), at: "/dogs")
    #expect(page.elements.has("#idle"))
    for text in ["g", "gr", "gre"] { page.act("term", text) }
    page.probe.advance(by: .milliseconds(500))
    #expect(page.status == "Looking for gre…")
    #expect(page.elements.text("#status") == page.status)
    #expect(!page.elements.has("#skeleton"))
    page.probe.advance(by: .milliseconds(200))
    #expect(page.elements.has("#skeleton"))
    page.reply(dogs("Great Dane", "Great Pyrenees"), to: servers.dogs)
    #expect(page.status == "2 results")
    #expect(page.elements.texts("#list a") == ["Great Dane", "Great Pyrenees"])
    #expect(!page.elements.has("#skeleton"))
    #expect(page.address == "?q=gre")
    // The old results stay until the new results are loaded.
    page.act("term", "great p")
    page.probe.advance(by: .milliseconds(500))
    #expect(page.elements.count("#list.is-old li") == 2)
    page.reply(dogs("Great Pyrenees"), to: servers.dogs)
    #expect(page.status == "1 result")
    #expect(page.elements.texts("#list:not(.is-old) a") == ["Great Pyrenees"])
    #expect(servers.dogs.requested == ["gre", "great p"])
  }

  @Test(.served(isTimed: true)) func `first page works without JavaScript`() async throws {
    let home = try await served.open("/")
    #expect(home.elements.attribute("aria-current", of: ".brand") == "page")
    let found = try await home.follow(".try a.chip")
    #expect(found.address == "/?q=Great")
    #expect(found.texts("#list li") == ["Great Dane", "Great Pyrenees"])
  }

  @Test(.served) func `first page leads to each screen`() async throws {
    let apps = try await served.open("/").elements.attributes("href", of: ".apps a")
    #expect(apps.count == 6)
    for app in apps {
      let page = try await served.open(app)
      #expect(page.elements.attribute("href", of: ".links [aria-current]") == app)
    }
  }
}
