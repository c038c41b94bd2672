import Foundation
import Sandbox
import Synchronization
import Testing

/// The caching header fields of the simulated servers equal the recorded fields of the real
/// servers.
@Suite(.timeLimit(.minutes(1)))
struct CacheFieldTests {
  private let fields = ["Cache-Control", "ETag", "Expires"]

  @Test(.sandbox) func `lists of movies are fresh for minutes`() async throws {
    let feed = "/us/rss/topmovies/limit=25/json"
    let list = "/3/movie/top_rated?api_key=\(Sandbox.tmdbKey)"
    #expect(try await browser.get(feed).header("Cache-Control") == "public, max-age=600")
    #expect(try await browser.get(list).header("Cache-Control") == "public, max-age=300")
    for path in [feed, list] {
      let tag = try #require(try await browser.get(path).header("ETag"))
      let known = try await browser.get(path, headers: ["If-None-Match": tag])
      #expect(known.status == 304 && known.header("ETag") == tag)
    }
    sandbox.update { $0.damagedEntries = 1 }
    #expect(try await browser.get(feed).header("Cache-Control") == "no-store")
  }

  @Test func `tag stays while time passes`() async throws {
    let time = Mutex(today)
    try await withSandbox(.init { $0.now = { time.withLock { $0 } } }) { _, browser in
      let paths = [
        "/repos/apple/swift", "/repos/apple/swift/issues", "/us/rss/topmovies/json",
        "/3/movie/now_playing?api_key=\(Sandbox.tmdbKey)",
      ]
      for path in paths {
        let tag = try #require(try await browser.get(path).header("ETag"))
        time.withLock { $0 += 3 * 86_400 }
        #expect(try await browser.get(path).header("ETag") == tag)
      }
    }
  }

  @Test(.sandbox) func `failure has nothing for caches`() async throws {
    let paths = [
      "/repos/apple/swift", "/search/repositories?q=swift", "/us/rss/topmovies/json",
      "/3/movie/now_playing?api_key=\(Sandbox.tmdbKey)",
    ]
    sandbox.update { $0.failureRate = 1 }
    for path in paths {
      let reply = try await browser.get(path, headers: ["If-None-Match": "*"])
      #expect(reply.status == 500)
      for name in fields { #expect(reply.header(name) == nil, "\(path) \(name)") }
    }
    sandbox.update { ($0.failureRate, $0.rateLimit) = (0, 0) }
    let refused = try await browser.get(paths[0], headers: ["If-None-Match": "*"])
    #expect(refused.status == 403)
    for name in fields { #expect(refused.header(name) == nil, "\(name)") }
  }

}
