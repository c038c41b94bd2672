import Application
import CurlewLiveTesting
import Sandbox
import Testing

@testable import showcase

/// The lists without JavaScript.
@Suite(.timeLimit(.minutes(1)))
struct PlainListTests {
  @Test(.served) func `the next page is a link`() async throws {
    let list = try await served.open("/repositories").submit(["language": "ruby"])
    #expect(list.address == "/repositories?language=ruby")
    #expect(list.value("#language") == "ruby")
    let first = list.texts("#list .name")
    #expect(first.count == 10)
    #expect(!list.has("[rel=prev]"))
    let second = try await list.follow("[rel=next]")
    #expect(second.address == "/repositories?language=ruby&page=2")
    #expect(second.texts("#list .name").count == 10)
    #expect(Set(second.texts("#list .name")).isDisjoint(with: first))
    let third = try await second.follow("[rel=next]")
    #expect(third.text("#end") == "This is the end of the list.")
    #expect(!third.has("[rel=next]"))
    let back = try await third.follow("[rel=prev]")
    #expect(back.address == "/repositories?language=ruby&page=2")
    let start = try await back.follow("[rel=prev]")
    #expect(start.address == "/repositories?language=ruby")
    #expect(start.texts("#list .name") == first)

    let repository = try await start.follow("#list a")
    #expect(repository.has("#repository"))
    #expect(repository.text("h1") == first[0])
    #expect(try await repository.follow("#issues-link").value("#q") == first[0])
  }

  @Test(.served) func `a filter is a page of links`() async throws {
    let list = try await served.open("/repositories?language=swift")
    let open = try await list.follow("#filter-link")
    #expect(open.address == "/repositories?language=swift&filter=0")
    #expect(open.texts("#list .name") == list.texts("#list .name"))
    let chosen = try await open.follow("#filter .segments a[data-key=10000]")
    #expect(chosen.text("#filter [aria-current]") == "10,000+")
    #expect(try await chosen.follow("#close-filter").address == list.address)
    let shown = try await chosen.follow("#apply")
    #expect(shown.address == "/repositories?language=swift&stars=10000")
    #expect(shown.text("#status")?.hasPrefix("The first 10 repositories in swift") == true)
    let end = try await shown.follow("[rel=next]")
    #expect(end.address == "/repositories?language=swift&page=2&stars=10000")
    #expect(end.has("#end") && !end.has("[rel=next]"))
    #expect(try await shown.submit(["language": "c"]).address.contains("stars=10000"))
  }

  @Test(.served) func `choices are a form with a button`() async throws {
    let usual = try await served.open("/itunes")
    #expect(usual.elements.count("#list .store") == 25)
    #expect(usual.has(".choices noscript button[type=submit]"))
    let british = try await usual.submit(["country": "gb", "limit": "10"], form: ".choices")
    #expect(british.address == "/itunes?country=gb&limit=10")
    #expect(british.elements.count("#list .store") == 10)
    #expect(british.value("#country") == "gb")

    let movies = try await served.open("/movies/top-rated")
    let french = try await movies.submit(["language": "fr-FR"], form: ".choices")
    #expect(french.address == "/movies/top-rated?language=fr-FR")
    let next = try await french.follow("[rel=next]")
    #expect(next.address == "/movies/top-rated?language=fr-FR&page=2")
    #expect(next.elements.count("#list .movie") == 20)
    let other = try await next.follow(".segments a")
    #expect(other.address == "/movies/now-playing?language=fr-FR")
  }

  @Test(
    .served(sandbox: .init { $0.failureRate = 1 }),
    arguments: [
      "/issues?q=apple/cups", "/repositories?language=go", "/repositories/apple/swift", "/itunes",
      "/movies/top-rated",
    ])
  func `failures have a link and no button that does nothing`(path: String) async throws {
    let page = try await served.open(path)
    #expect(page.has("#failure"))
    // These buttons are hidden without a script.
    #expect(
      page.elements.matching("#failure button").allSatisfy { $0.classes.contains("only-live") })
    #expect(page.has("#failure button"))
    served.sandbox.update { $0.failureRate = 0 }
    let loaded = try await page.follow("#failure a")
    #expect(loaded.address == path)
    #expect(!loaded.has("#failure"))
  }

  @Test(.served) func `an address says what is chosen`() async throws {
    let japanese = try await served.open("/itunes?country=jp&limit=50")
    #expect(japanese.elements.count("#list .store") > 25)
    #expect(japanese.value("#country") == "jp" && japanese.value("#limit") == "50")
    // Invalid choices are replaced by the defaults.
    let usual = try await served.open("/itunes?country=xx&limit=7")
    #expect(usual.elements.count("#list .store") == 25)
    #expect(usual.value("#country") == "us" && usual.value("#limit") == "25")
  }

  @Test func `an address stays as it is`() {
    let address = "/itunes?country=jp&limit=50"
    let page = DrawnPage(TopMoviesPage(TopMovies(store: TwoOfEach())), at: address)
    #expect("/itunes" + page.address == address)
  }
}
