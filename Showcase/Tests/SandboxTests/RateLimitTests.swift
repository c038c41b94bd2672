import Foundation
import Sandbox
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RateLimitTests {
  @Test(.sandbox) func `responses count down`() async throws {
    for used in 1...3 {
      // Error responses count, too.
      let reply = try await browser.get(used == 2 ? "/repos/no/one" : "/repos/apple/cups")
      #expect(reply.header("X-RateLimit-Limit") == "5000")
      #expect(reply.header("X-RateLimit-Used") == String(used))
      #expect(reply.header("X-RateLimit-Remaining") == String(5_000 - used))
      #expect(reply.header("X-RateLimit-Resource") == "core")
      let reset = today.timeIntervalSince1970 + 3_600
      #expect(reply.header("X-RateLimit-Reset") == String(Int(reset)))
    }
  }

  @Test func `over the limit is forbidden until the window ends`() async throws {
    let time = Mutex(today)
    let options = Sandbox.Options { options in
      options.rateLimit = 2
      options.now = { time.withLock { $0 } }
    }
    try await withSandbox(options) { _, browser in
      for _ in 1...2 { #expect(try await browser.get("/repos/apple/cups").status == 200) }
      time.withLock { $0 = today + 600 }
      let reply = try await browser.get("/repos/apple/cups")
      let error = try reply.decode(ErrorShape.self)
      #expect(reply.status == 403)
      #expect(error.message.hasPrefix("API rate limit exceeded for 127.0.0.1. (But here's"))
      #expect(reply.header("X-RateLimit-Remaining") == "0")
      #expect(reply.header("X-RateLimit-Used") == "2")
      #expect(reply.header("Retry-After") == "3000")
      time.withLock { $0 = today + 3_600 }
      #expect(try await browser.get("/repos/apple/cups").status == 200)
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

  @Test func `search has a limit of its own`() async throws {
    let time = Mutex(today)
    let options = Sandbox.Options { options in
      options.rateLimit = 7
      options.now = { time.withLock { $0 } }
    }
    try await withSandbox(options) { _, browser in
      let path = "/search/repositories?q=swift&per_page=1"
      for used in 1...30 {
        let reply = try await browser.get(path)
        #expect(reply.status == 200 && reply.header("X-RateLimit-Used") == String(used))
        #expect(reply.header("X-RateLimit-Limit") == "30")
        #expect(reply.header("X-RateLimit-Remaining") == String(30 - used))
        #expect(reply.header("X-RateLimit-Resource") == "search")
      }
      time.withLock { $0 = today + 20 }
      let over = try await browser.get(path)
      let error = try over.decode(ErrorShape.self)
      #expect(over.status == 403 && error.message.hasPrefix("API rate limit exceeded for "))
      #expect(over.header("X-RateLimit-Resource") == "search")
      #expect(over.header("X-RateLimit-Remaining") == "0")
      #expect(over.header("Retry-After") == "40")
      let reset = today.timeIntervalSince1970 + 60
      #expect(over.header("X-RateLimit-Reset") == String(Int(reset)))
      // The two limits are counted separately.
      let core = try await browser.get("/repos/apple/cups")
      #expect(core.status == 200 && core.header("X-RateLimit-Used") == "1")
      #expect(core.header("X-RateLimit-Resource") == "core")
      time.withLock { $0 = today + 60 }
      #expect(try await browser.get(path).status == 200)
    }
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
