import Foundation
import Sandbox
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RateLimitTests {
  @Test func answersCountDown() async throws {
    try await withSandbox { _, browser in
      for used in 1...3 {
        // Errors count, too.
        let reply = try await browser.get(used == 2 ? "/repos/no/one" : "/repos/apple/cups")
        #expect(reply.header("X-RateLimit-Limit") == "5000")
        #expect(reply.header("X-RateLimit-Used") == String(used))
        #expect(reply.header("X-RateLimit-Remaining") == String(5_000 - used))
        #expect(reply.header("X-RateLimit-Resource") == "core")
        let reset = today.timeIntervalSince1970 + 3_600
        #expect(reply.header("X-RateLimit-Reset") == String(Int(reset)))
      }
    }
  }

  @Test func overTheLimitIsForbiddenUntilTheWindowEnds() async throws {
    let time = Mutex(today)
    let options = Sandbox.Options(rateLimit: 2, now: { time.withLock { $0 } })
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

  @Test func limitCanChangeWhileRunning() async throws {
    try await withSandbox { sandbox, browser in
      try sandbox.update { $0.rateLimit = 0 }
      #expect(try await browser.get("/repos/apple/cups").status == 403)
      try sandbox.update { $0.rateLimit = nil }
      let free = try await browser.get("/repos/apple/cups")
      #expect(free.status == 200 && free.header("X-RateLimit-Limit") == nil)
      try sandbox.update { $0.rateLimit = 10 }
      #expect(try await browser.get("/repos/apple/cups").header("X-RateLimit-Remaining") == "9")
    }
  }

  @Test func notModifiedDoesNotCount() async throws {
    try await withSandbox { _, browser in
      let tag = try #require(try await browser.get("/repos/apple/cups").header("ETag"))
      for _ in 1...3 {
        let reply = try await browser.get("/repos/apple/cups", headers: ["If-None-Match": tag])
        #expect(reply.status == 304 && reply.header("X-RateLimit-Remaining") == "4999")
      }
      #expect(try await browser.get("/repos/apple/cups").header("X-RateLimit-Used") == "2")
    }
  }

  @Test func requestWithoutUserAgentIsForbidden() async throws {
    try await withSandbox { _, browser in
      let reply = try await browser.get("/repos/apple/cups", userAgent: nil)
      #expect(reply.status == 403 && reply.text.contains("User-Agent"))
      #expect(try await browser.get("/repos/apple/cups", userAgent: "").status == 403)
    }
  }
}
