import CurlewTesting
import NIOCore
import NIOPosix
import Sandbox
import ShowcaseTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HostileTests {
  @Test(
    .sandbox,
    arguments: [
      "/repos/%zz/%", "/repos/%00/%0d%0a", "/repos/..%2f..%2fetc/passwd", "/repos/a/b%ff", "//",
      "/%",
      "/repos/apple/swift%2Fissues", "/repos///issues", "?", "?page=1", "*", "repos", "http://",
      "http://other.example/repos/none/none", "://", "/#",
      "/repos/apple/swift/issues/99999999999999",
      "/repositories/99999999999999999999/issues", "/repos/\u{1F426}/\u{7F}",
    ])
  func `odd targets are refused and harm nobody`(target: String) async throws {
    let response = try await exchange(
      "GET \(target) HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\nConnection: close\r\n\r\n",
      port: browser.port)
    #expect(
      response.hasPrefix("HTTP/1.1 404 ") || response.hasPrefix("HTTP/1.1 400 ")
        || (response.hasPrefix("HTTP/1.1 200 ") && response.contains("repository_url")),
      "\(response.prefix(60))")
    #expect(try await browser.get("/repos/apple/cups").status == 200)
  }

  @Test(
    .sandbox,
    arguments: [
      "GET", "\r\n\r\n\r\n", "\u{0}\u{1}\u{2}", "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\n",
      "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab", "GET /\r\n\r\n", "HELO example.org\r\n",
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nUser-Agent: x\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
  func `broken protocol harms nobody`(bytes: String) async throws {
    _ = try await exchange(bytes, port: browser.port)
    #expect(try await browser.get("/repos/apple/cups").status == 200)
  }

  @Test(.sandbox) func `overlong targets are refused`() async throws {
    for length in [9_000, 40_000] {
      let name = String(repeating: "a", count: length)
      #expect(try await browser.get("/repos/\(name)/b").status == 414)
      #expect(try await browser.get("/repos/apple/swift/issues?q=\(name)").status == 414)
    }
    let huge = String(repeating: "/a", count: 200_000)
    let response = try await exchange("GET \(huge) HTTP/1.1\r\n\r\n", port: browser.port)
    #expect(response.isEmpty || response.hasPrefix("HTTP/1.1 4"))
    #expect(try await browser.get("/repos/apple/cups").status == 200)
  }

  @Test(.sandbox) func `clients query cannot break the link header`() async throws {
    let reply = try await browser.get(
      "/repos/apple/swift/issues?x=%3E%3B%20rel%3D%22next%22%2C%20%3Chttp%3A//evil&y=%0d%0aZ:%201"
    )
    #expect(reply.status == 200 && reply.header("Z") == nil)
    #expect(Set(reply.links.keys) == ["next", "last"])
    #expect(reply.links["next"]?.hasSuffix("&y=%0D%0AZ:%201&page=2") == true)
    #expect(reply.links["next"]?.contains("evil") == true)
  }

  @Test func `idle and half sent requests do not hold up a stop`() async throws {
    let sandbox = try await Sandbox.start(.fixed)
    let port = try #require(sandbox.port)
    async let silent = exchange("", port: port, thenClose: false)
    async let halfSent = exchange("GET /repos HTTP/1.1\r\nHost", port: port, thenClose: false)
    async let idle = exchange(
      "GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\n\r\n", port: port, thenClose: false)
    await eventually { sandbox.requests.first?.status != nil }
    // The clock stands still, so this hangs if stopping waits for a client.
    await sandbox.stop(patience: TestClock())
    #expect(try await idle.hasPrefix("HTTP/1.1 200 "))
    _ = try? await (silent, halfSent)
  }

  @Test func `client that does not read is cut off`() async throws {
    let sandbox = try await Sandbox.start(.fixed)
    // Far more responses than the buffers of two sockets hold.
    let requests = String(
      repeating: "GET /repos/apple/swift/issues?per_page=100 HTTP/1.1\r\nUser-Agent: x\r\n\r\n",
      count: 100)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .connect(host: "127.0.0.1", port: try #require(sandbox.port)).get()
    try await channel.writeAndFlush(ByteBuffer(string: requests))
    await eventually { !sandbox.requests.isEmpty }
    let clock = TestClock()
    async let stopped: Void = sandbox.stop(patience: clock)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    await stopped
    #expect(sandbox.requests.count < 100)
    try? await channel.close()
  }
}
