import CurlewTesting
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LifecycleTests {
  @Test func `port is free again after a stop`() async throws {
    try await withSandbox { first, browser in
      for _ in 1...5 {
        #expect(try await browser.get("/repos/apple/cups").status == 200)
      }
      // The client's connection is still open and idle.
      await first.stop()
      await #expect(throws: (any Error).self) { try await exchange("", port: browser.port) }
      for _ in 1...3 {
        let next = try await Sandbox.start(.fixed, port: browser.port)
        #expect(next.baseURL == browser.base)
        // Not with the client, which may reuse its old connection.
        let response = try await exchange(
          "GET / HTTP/1.1\r\nUser-Agent: x\r\nConnection: close\r\n\r\n", port: browser.port)
        #expect(response.hasPrefix("HTTP/1.1 200 "))
        await next.stop()
      }
    }
  }

  @Test func `stop is idempotent`() async throws {
    let sandbox = try await Sandbox.start(port: 0)
    await withTaskGroup { group in
      for _ in 1...8 { group.addTask { await sandbox.stop() } }
    }
    await sandbox.stop()
  }

  @Test(.sandbox) func `taken port is a clear error`() async throws {
    let failure = await #expect(throws: Sandbox.Failure.self) {
      try await Sandbox.start(port: browser.port)
    }
    let text = try #require(failure?.description)
    #expect(text.hasPrefix("the sandbox can't listen on 127.0.0.1:\(browser.port): "))
  }

  @Test(arguments: [-1, 65_536])
  func `impossible port is a clear error`(port: Int) async throws {
    await #expect(throws: Sandbox.Failure.self) { try await Sandbox.start(port: port) }
  }

  @Test(.sandbox) func `log holds the requests in order`() async throws {
    _ = try await browser.get("/repos/apple/cups")
    _ = try await browser.get("/repos/a%20b/c/issues?state=all&q=%C3%9F", method: "HEAD")
    #expect(
      sandbox.requests == [
        .init(method: "GET", path: "/repos/apple/cups", status: 200),
        .init(
          method: "HEAD", path: "/repos/a%20b/c/issues", query: "state=all&q=%C3%9F", status: 404),
      ])
    sandbox.forgetRequests()
    #expect(sandbox.requests.isEmpty)
    _ = try await browser.get("/")
    #expect(sandbox.requests == [.init(method: "GET", path: "/", status: 200)])
  }

  @Test func `sixty four connections at once are answered`() async throws {
    let clock = TestClock()
    var options = Sandbox.Options.fixed
    (options.latency, options.clock) = (.seconds(1), clock)
    try await withSandbox(options, connections: 64) { sandbox, browser in
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for page in 1...64 {
          group.addTask {
            try await browser.list("/repos/apple/swift/issues?per_page=3&page=\(page)").count
          }
        }
        // All requests wait at the same time, so each uses its own connection.
        await clock.waitForSleepers(64)
        clock.advance(by: .seconds(1))
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts == Array(repeating: 3, count: 64))
      #expect(sandbox.requests.count == 64)
    }
  }
}
