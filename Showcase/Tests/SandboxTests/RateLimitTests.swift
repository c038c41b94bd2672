import Foundation
import Sandbox
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RateLimitTests {
  @Test(
    arguments: [
      ("core", "/repos/apple/cups", "/repos/no/one", 7, 3_600),
      ("search", "/search/repositories?q=swift&per_page=1", "/search/repositories", 30, 60),
    ])
  func `each limit is counted down and forbids until its window ends`(
    resource: String, path: String, failing: String, limit: Int, window: Int
  ) async throws {
    let time = Mutex(today)
    let options = Sandbox.Options { options in
      options.rateLimit = 7
      options.now = { time.withLock { $0 } }
    }
    try await withSandbox(options) { _, browser in
      func expect(_ reply: Reply, used: Int) {
        #expect(reply.header("X-RateLimit-Limit") == String(limit))
        #expect(reply.header("X-RateLimit-Used") == String(used))
        #expect(reply.header("X-RateLimit-Remaining") == String(limit - used))
        #expect(reply.header("X-RateLimit-Resource") == resource)
        let reset = Int(today.timeIntervalSince1970) + window
        #expect(reply.header("X-RateLimit-Reset") == String(reset))
      }
      for used in 1...limit {
        // Error responses count, too.
        let reply = try await browser.get(used == 2 ? failing : path)
        #expect((reply.status == 200) == (used != 2))
        expect(reply, used: used)
      }
      time.withLock { $0 = today + Double(window / 3) }
      let over = try await browser.get(path)
      let error = try over.decode(ErrorShape.self)
      #expect(over.status == 403)
      #expect(error.message.hasPrefix("API rate limit exceeded for 127.0.0.1. (But here's"))
      #expect(over.header("Retry-After") == String(window * 2 / 3))
      expect(over, used: limit)
      // The two limits are counted separately.
      let other = try await browser.get(
        resource == "core" ? "/search/repositories?q=swift&per_page=1" : "/repos/apple/cups")
      #expect(other.status == 200 && other.header("X-RateLimit-Used") == "1")
      #expect(other.header("X-RateLimit-Resource") == (resource == "core" ? "search" : "core"))
      time.withLock { $0 = today + Double(window) }
      #expect(try await browser.get(path).status == 200)
    }
  }

  @Test(
    .sandbox,
    arguments: [(false, "/repos/apple/cups"), (true, "/search/repositories?q=swift&per_page=1")])
  func `limit can change while running`(isSearch: Bool, path: String) async throws {
    func limit(to count: Int?) {
      sandbox.update { options in
        if isSearch { options.searchRateLimit = count } else { options.rateLimit = count }
      }
    }
    limit(to: 0)
    #expect(try await browser.get(path).status == 403)
    limit(to: nil)
    let free = try await browser.get(path)
    #expect(free.status == 200 && free.header("X-RateLimit-Limit") == nil)
    limit(to: 10)
    #expect(try await browser.get(path).header("X-RateLimit-Remaining") == "9")
  }

  @Test func `windows can be shorter`() async throws {
    let time = Mutex(today)
    let options = Sandbox.Options { options in
      (options.rateLimit, options.searchRateLimit, options.rateWindow) = (1, 1, .seconds(3))
      options.now = { time.withLock { $0 } }
    }
    try await withSandbox(options) { sandbox, browser in
      for path in ["/repos/apple/cups", "/search/repositories?q=swift&per_page=1"] {
        #expect(try await browser.get(path).status == 200)
        let over = try await browser.get(path)
        #expect(over.status == 403 && over.header("Retry-After") == "3")
      }
      time.withLock { $0 = today + 3 }
      #expect(try await browser.get("/repos/apple/cups").status == 200)
      // Shortening a window ends it.
      sandbox.update { $0.rateWindow = nil }
      time.withLock { $0 = today + 6 }
      #expect(try await browser.get("/repos/apple/cups").status == 200)
      #expect(try await browser.get("/repos/apple/cups").header("Retry-After") == "3600")
      sandbox.update { $0.rateWindow = .seconds(2) }
      #expect(try await browser.get("/repos/apple/cups").status == 200)
    }
  }

  @Test(.sandbox) func `request without user agent is forbidden`() async throws {
    let reply = try await browser.get("/repos/apple/cups", userAgent: nil)
    #expect(reply.status == 403 && reply.text.contains("User-Agent"))
    #expect(try await browser.get("/repos/apple/cups", userAgent: "").status == 403)
  }
}
