import CurlewTesting
import Foundation
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OptionTests {
  @Test(.sandbox) func `failures can be switched on and off`() async throws {
    #expect(try await browser.get("/repos/apple/cups").status == 200)
    sandbox.update { $0.failureRate = 1 }
    for _ in 1...5 {
      let reply = try await browser.get("/repos/apple/cups")
      let error = try reply.decode(ErrorShape.self)
      #expect(reply.status == 500 && error.message == "Server Error")
    }
    sandbox.update { $0.failureRate = 0 }
    for _ in 1...5 { #expect(try await browser.get("/repos/apple/cups").status == 200) }
  }

  @Test(.sandbox) func `one visitor alone is disturbed`() async throws {
    sandbox.update(for: "a") {
      $0.failureRate = 1
      $0.rateLimit = 0
    }
    let (path, own) = ("/repos/apple/cups", [Sandbox.visitorField: "a"])
    #expect(try await browser.get(path, headers: own).status == 500)
    #expect(try await browser.get(path, headers: [Sandbox.visitorField: "b"]).status == 200)
    #expect(try await browser.get(path).status == 200)
    sandbox.update(for: "a") { $0.failureRate = 0 }
    #expect(try await browser.get(path, headers: own).status == 403)
    #expect(try await browser.get(path).status == 200)
  }

  @Test(.sandbox) func `an outage cuts connections until it ends`() async throws {
    sandbox.update { $0.outageEnd = $0.now().addingTimeInterval(60) }
    await #expect(throws: (any Error).self) { try await browser.get("/repos/apple/cups") }
    sandbox.update { $0.outageEnd = $0.now() }
    #expect(try await browser.get("/repos/apple/cups").status == 200)
  }

  @Test func `share of failures is the same in each run`() async throws {
    func run(seed: UInt64) async throws -> [Int] {
      var options = Sandbox.Options.fixed
      options.failureRate = 0.3
      options.seed = seed
      return try await withSandbox(options) { _, browser in
        var statuses: [Int] = []
        for _ in 1...200 { statuses.append(try await browser.get("/repos/apple/cups").status) }
        return statuses
      }
    }
    let first = try await run(seed: 7)
    #expect(try await run(seed: 7) == first)
    #expect(try await run(seed: 8) != first)
    #expect((40...80).contains(first.count { $0 == 500 }))
  }

  @Test func `latency passes before the response`() async throws {
    let clock = TestClock()
    var options = Sandbox.Options.fixed
    (options.latency, options.clock) = (.seconds(3), clock)
    try await withSandbox(options) { sandbox, browser in
      async let reply = browser.get("/repos/apple/cups")
      await clock.waitForSleepers()
      clock.advance(by: .milliseconds(2_999))
      #expect(clock.sleepers == 1)
      #expect(sandbox.requests.map(\.status) == [nil])
      // Changes during the latency apply to the response.
      sandbox.update { $0.failureRate = 1 }
      clock.advance(by: .milliseconds(1))
      let status = try await reply.status
      #expect(status == 500)
      #expect(sandbox.requests.map(\.status) == [500])
    }
  }

  @Test func `stop ends the latency and still responds`() async throws {
    let clock = TestClock()
    var options = Sandbox.Options.fixed
    (options.latency, options.clock) = (.seconds(3_600), clock)
    try await withSandbox(options) { sandbox, browser in
      async let reply = browser.get("/repos/apple/cups")
      await clock.waitForSleepers()
      await sandbox.stop()
      let status = try await reply.status
      #expect(status == 200)
    }
  }
}
