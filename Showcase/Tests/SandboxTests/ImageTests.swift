import CurlewTesting
import Foundation
import Sandbox
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite(.timeLimit(.minutes(1)))
struct ImageTests {
  /// Returns all images that some responses link to.
  private func pictures(_ browser: PlainBrowser) async throws -> [String] {
    let found = try await browser.get("/search/repositories?q=language:rust&per_page=20")
    let issues = try await browser.get("/repos/apple/swift/issues?per_page=20")
    let feed = try await browser.get("/us/rss/topmovies/limit=100/json")
    let films = try await browser.get("/3/movie/now_playing?api_key=\(Sandbox.tmdbKey)")
    var pictures = Set<String>()
    for reply in [found, issues, feed] {
      for match in reply.text.matches(of: /"(http[^"]*\.svg[^"]*)"/) {
        pictures.insert(String(match.output.1))
      }
    }
    for match in films.text.matches(of: /"(poster|backdrop)_path":"(\/[^"]*)"/) {
      for size in ["w92", "w342", "original"] {
        pictures.insert("\(browser.base)/t/p/\(size)\(match.output.2)")
      }
    }
    return pictures.sorted()
  }

  @Test(.sandbox) func `every linked picture is there`() async throws {
    let pictures = try await pictures(browser)
    #expect(pictures.allSatisfy { $0.hasPrefix(browser.base) })
    for kind in ["/avatars/u/", "/covers/", "/t/p/"] {
      #expect(pictures.count { $0.contains(kind) } >= 20, "\(kind)")
    }
    for picture in pictures {
      let reply = try await browser.get(picture, userAgent: nil)
      #expect(reply.status == 200, "\(picture)")
      #expect(reply.header("Content-Type") == "image/svg+xml")
      #expect(reply.header("X-Content-Type-Options") == "nosniff")
      #expect(reply.header("Content-Security-Policy") == "default-src 'none'")
      #expect(!reply.text.contains("<script") && !reply.text.contains("href"))
      // A placeholder that was not filled.
      #expect(!reply.text.contains(/<[a-z]+[ 0-9]*>/), "\(picture)")
      let parser = XMLParser(data: reply.data)
      #expect(parser.parse(), "\(picture): \(String(describing: parser.parserError))")
    }
  }

  @Test(.sandbox) func `no dog looks like another`() async throws {
    let dogs = try await browser.get("/dogs/breeds")
    let pictures = dogs.text.matches(of: /"picture":"([^"]*)"/).map { String($0.output.1) }
    #expect(pictures.count == 88)
    var drawn: Set<String> = []
    for picture in pictures {
      let reply = try await browser.get(picture, userAgent: nil)
      #expect(reply.status == 200 && reply.header("Content-Type") == "image/svg+xml")
      let parser = XMLParser(data: reply.data)
      #expect(parser.parse(), "\(picture): \(String(describing: parser.parserError))")
      drawn.insert(reply.text)
      // A pair of ears, which may have locks.
      let pairs = reply.text.matches(of: /scale\(-1 1\)/).count
      #expect(pairs == 1 || pairs == 2, "\(picture)")
    }
    #expect(drawn.count == 88)
    #expect(try await browser.get("/dogs/pictures/cat.svg").status == 404)
  }

  @Test(.sandbox) func `covers have the sizes that their list says`() async throws {
    let feed = try await browser.get("/us/rss/topmovies/limit=100/json").object()
    let entries = (feed["feed"] as? [String: Any])?["entry"] as? [[String: Any]] ?? []
    let entry = try #require(
      entries.first { ($0["im:name"] as? [String: String])?["label"]?.contains("<") == true })
    let images = try #require(entry["im:image"] as? [[String: Any]])
    #expect(
      images.map { ($0["attributes"] as? [String: String])?["height"] } == ["60", "100", "170"])
    let cover = try await browser.get(try #require(images.last?["label"] as? String))
    #expect(cover.text.contains("width=\"113\" height=\"170\""))
  }

  @Test(.sandbox) func `poster is two by three in each size`() async throws {
    let films = try await browser.get("/3/movie/top_rated?api_key=\(Sandbox.tmdbKey)")
    let path = try #require(films.text.firstMatch(of: /"poster_path":"([^"]*)"/)?.output.1)
    let small = try await browser.get("/t/p/w154\(path)")
    #expect(small.text.contains("width=\"154\" height=\"231\" viewBox=\"0 0 200 300\""))
    let large = try await browser.get("/t/p/w780\(path)")
    #expect(large.text.contains("width=\"780\" height=\"1170\" viewBox=\"0 0 200 300\""))
    #expect(large.header("ETag") != small.header("ETag"))
    let wide = try #require(films.text.firstMatch(of: /"backdrop_path":"([^"]*)"/)?.output.1)
    let backdrop = try await browser.get("/t/p/w780\(wide)")
    #expect(backdrop.text.contains("width=\"780\" height=\"438\" viewBox=\"0 0 320 180\""))
  }

  @Test(.sandbox) func `pictures are different the same each time and cacheable`() async throws {
    let first = try await browser.get("/avatars/u/900100000.svg?s=80")
    let tag = try #require(first.header("ETag"))
    // The tag depends only on the content, so it is the same after a restart in another process.
    #expect(tag == "W/\"3209dd4fe2a0d3\"")
    #expect(first.header("Cache-Control") == "public, max-age=86400")
    // The halves mirror each other.
    let columns = first.text.matches(of: /cx="([0-9]+)"/).compactMap { Int($0.output.1) }
    #expect(!columns.isEmpty && columns.sorted() == columns.map { 80 - $0 }.sorted())
    let known = try await browser.get(
      "/avatars/u/900100000.svg?s=80", headers: ["If-None-Match": tag])
    #expect(known.status == 304 && known.size == 0)
    let head = try await browser.get("/avatars/u/900100000.svg", method: "HEAD")
    #expect(head.status == 200 && head.size == 0 && head.header("ETag") == tag)
    var tags: Set<String?> = []
    for id in 1...100 {
      tags.insert(try await browser.get("/avatars/u/\(id).svg").header("ETag"))
    }
    #expect(tags.count > 95)
    let again = try await withSandbox { _, browser in
      try await browser.get("/avatars/u/900100000.svg")
    }
    #expect(again.body == first.body)
  }

  @Test func `pictures are not measured as the APIs are`() async throws {
    let clock = TestClock()
    var options = Sandbox.Options.fixed
    // The clock stands still: a delayed image would never arrive.
    (options.latency, options.clock) = (.seconds(3), clock)
    (options.rateLimit, options.failureRate) = (0, 1)
    try await withSandbox(options) { sandbox, browser in
      for _ in 1...3 {
        let reply = try await browser.get("/avatars/u/7.svg")
        #expect(reply.status == 200 && reply.header("X-RateLimit-Limit") == nil)
      }
      #expect(sandbox.requests.isEmpty)
    }
  }
}
