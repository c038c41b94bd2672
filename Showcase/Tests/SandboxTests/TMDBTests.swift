import Foundation
import Sandbox
import Testing

private struct Page: Decodable {
  struct Film: Decodable {
    let id: Int
    let title: String
    let original_language: String
    let original_title: String
    let overview: String
    let poster_path: String?
    let release_date: String
    let vote_average: Double
    let vote_count: Int
    let popularity: Double
  }
  struct Dates: Decodable { let maximum: String, minimum: String }

  let page: Int
  let results: [Film]
  let total_pages: Int
  let total_results: Int
  let dates: Dates?
}

@Suite(.timeLimit(.minutes(1)))
struct TMDBTests {
  @Test(.sandbox, arguments: [("now_playing", 7, 137), ("top_rated", 12, 233)])
  func `pages have each film once`(list: String, pages: Int, total: Int) async throws {
    var films: [Page.Film] = []
    for number in 1...pages {
      let page = try await browser.films(list, "page=\(number)")
      #expect(page.page == number && page.total_pages == pages && page.total_results == total)
      #expect(page.results.count == (number < pages ? 20 : total - 20 * (pages - 1)))
      #expect((page.dates != nil) == (list == "now_playing"))
      films += page.results
    }
    #expect(Set(films.map(\.id)).count == total && Set(films.map(\.title)).count == total)
    let order = list == "top_rated" ? films.map(\.vote_average) : films.map(\.popularity)
    #expect(order == order.sorted(by: >))
    #expect(films.allSatisfy { (0...10).contains($0.vote_average) && $0.vote_count >= 0 })
    #expect(try await browser.films(list, "page=\(pages + 1)").results.isEmpty)
    #expect(try await browser.films(list, "page=500").total_pages == pages)
  }

  @Test(.sandbox) func `each film of a list has details`() async throws {
    struct Details: Decodable {
      struct Genre: Decodable { let id: Int, name: String }
      let id: Int
      let title: String
      let genres: [Genre]
      let runtime: Int
    }
    for film in try await browser.films("top_rated").results {
      let details: Details = try await browser.details(film.id)
      #expect(details.id == film.id && details.title == film.title)
      #expect(details.genres.allSatisfy { !$0.name.isEmpty })
      #expect(details.runtime == 0 || (60...200).contains(details.runtime))
    }
  }

  @Test(.sandbox) func `parts are missing here and there`() async throws {
    let films = try await browser.films("now_playing").results
    #expect((1...4).contains(films.count { $0.poster_path == nil }))
    #expect((1...4).contains(films.count { $0.release_date.isEmpty }))
    #expect((1...4).contains(films.count { $0.overview.isEmpty }))
  }

  @Test(.sandbox) func `now playing is recent`() async throws {
    let page = try await browser.films("now_playing")
    #expect(page.dates?.maximum == "2025-06-15" && page.dates?.minimum == "2025-05-01")
    let dates = page.results.map(\.release_date).filter { !$0.isEmpty }
    #expect(dates.allSatisfy { ("2025-05-01"..."2025-06-15").contains($0) })
    let old = try await browser.films("top_rated").results.map(\.release_date)
    #expect(old.contains { $0 < "2010" && !$0.isEmpty })
  }

  @Test(.sandbox, arguments: [("de", "und"), ("ru", "и"), ("fr", "et"), ("ja", "と")])
  func `language changes the words`(code: String, and: String) async throws {
    var (foreign, english, originals) = ([Page.Film](), [Page.Film](), 0)
    for number in 1...3 {
      foreign += try await browser.films("top_rated", "page=\(number)&language=\(code)").results
      english += try await browser.films("top_rated", "page=\(number)&language=en-US").results
    }
    #expect(foreign.map(\.id) == english.map(\.id))
    let pairs = zip(foreign, english)
    #expect(pairs.count { $0.overview != $1.overview } > 50)
    #expect(pairs.count { $0.title != $1.title } > 50)
    #expect(foreign.contains { $0.title.contains(and) })
    for (film, same) in pairs where film.original_language == code {
      #expect(film.original_title == film.title && same.original_title == film.title)
      originals += 1
    }
    #expect(originals > 0)
    let region = try await browser.films("top_rated", "language=\(code)-XX").results
    #expect(region.map(\.title) == foreign.prefix(20).map(\.title))
  }

  @Test(.sandbox, arguments: ["", "language=xx", "language=%00", "language=-", "page="])
  func `unknown language is english`(query: String) async throws {
    let titles = try await browser.films("now_playing", query).results.map(\.title)
    let english = try await browser.films("now_playing", "language=en").results.map(\.title)
    #expect(titles == english)
  }

  @Test(.sandbox(.init { $0.rateLimit = 0 })) func `unknown lists have TMD bs shape`()
    async throws
  {
    let missing = try await browser.tmdb("nothing")
    #expect(missing.status == 404)
    #expect(try missing.decode(Refusal.self).status_code == 34)
    sandbox.update { $0.failureRate = 1 }
    let failed = try await browser.tmdb("top_rated")
    #expect(failed.status == 500)
    #expect(failed.header("X-RateLimit-Limit") == nil)
  }

  @Test(.sandbox) func `key is in no log and no response`() async throws {
    let reply = try await browser.tmdb("top_rated", "page=2")
    #expect(reply.status == 200 && !reply.text.contains(Sandbox.tmdbKey))
    #expect(!"\(reply.headers)".contains(Sandbox.tmdbKey))
    _ = try await browser.get("/3/movie/top_rated?%61pi_key=\(Sandbox.tmdbKey)")
    #expect(sandbox.requests.map(\.query) == ["api_key=REDACTED&page=2", "api_key=REDACTED"])
    #expect(sandbox.requests.map(\.status) == [200, 200])
  }
}

extension PlainBrowser {
  fileprivate func tmdb(_ list: String, _ query: String = "") async throws -> Reply {
    try await get("/3/movie/\(list)?api_key=\(Sandbox.tmdbKey)\(query.isEmpty ? "" : "&\(query)")")
  }

  fileprivate func details<Details: Decodable>(_ id: Int) async throws -> Details {
    try await tmdb("\(id)", "").decode(Details.self)
  }

  fileprivate func films(_ list: String, _ query: String = "") async throws -> Page {
    try await tmdb(list, query).decode(Page.self)
  }
}
