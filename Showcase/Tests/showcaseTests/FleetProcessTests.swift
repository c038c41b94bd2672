#if os(macOS) || os(Linux)
  import AsyncHTTPClient
  import CurlewLiveTesting
  import Foundation
  import NIOCore
  import NIOHTTP1
  import ShowcaseTestSupport
  import Testing

  /// Three showcases with a Redis and a sandbox, as of `make fleet`, without nginx: a test chooses the server.
  @Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: RedisProcess.isExpected, "redis-server is not installed"))
  struct FleetProcessTests {
    private static let http = HTTPClient(
      configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    /// Sends a request of a browser with a cookie; returns the new cookie and the page.
    private func send(
      _ form: String? = nil, to url: String, _ cookie: String = ""
    ) async throws -> (cookie: String, page: PageElement) {
      var request = HTTPClientRequest(url: url)
      request.headers.add(name: "Cookie", value: cookie)
      if let form {
        request.method = .POST
        request.headers.add(
          name: "Origin", value: url.split(separator: "/").prefix(2).joined(separator: "//"))
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
      }
      let response = try await Self.http.execute(request, timeout: .seconds(30))
      let text = String(buffer: try await response.body.collect(upTo: 1 << 22))
      let new = response.headers.first(name: "Set-Cookie") ?? ""
      return (String(new.prefix { $0 != ";" }), PageElement(text))
    }

    /// Returns the name of the user whom each server knows by a cookie.
    private func users(_ servers: [String], _ cookie: String) async throws -> [String] {
      var users: [String] = []
      for server in servers {
        users.append(
          try await send(to: "\(server)/dogs", cookie).page.text(".account span") ?? "")
      }
      return users
    }

    @Test func `A user signs in at one server and out at another`() async throws {
      let redis = try await RedisProcess()
      var processes: [ChildProcess] = []
      func start(_ arguments: [String]) async throws -> String {
        let (process, url) = try await ChildProcess.start(
          ChildProcess.built("showcase"), ["serve", "--no-cache"] + arguments,
          readyWhen: #"on (http://127\.0\.0\.1:\d+) "#)
        processes.append(process)
        return url
      }
      let sandbox = ["--sandbox-port", "\(freePort())"]
      _ = try await start(["--port", "0"] + sandbox)
      var servers: [String] = []
      for _ in 0..<3 {
        servers.append(
          try await start(
            ["--port", "\(freePort())", "--redis", "unix:\(redis.socket)"] + sandbox))
      }
      // The page of the sign-in is another server's than its form.
      let page = try await send(to: "\(servers[1])/sign-in?return=/dogs").page
      #expect(page.attribute("value", of: "[name=return]") == "/dogs")
      let first = try await send("user=ada&return=/dogs", to: "\(servers[0])/sign-in").cookie
      let second = try await send("user=ada", to: "\(servers[2])/sign-in").cookie
      #expect(first.hasPrefix("session=") && second.hasPrefix("session=") && first != second)
      for cookie in [first, second] {
        #expect(try await users(servers, cookie) == ["ada", "ada", "ada"])
      }
      let stored = try await redis.text
      for secret in ["ada", "ghu_", "ghr_", String(first.dropFirst(8))] {
        #expect(!stored.contains(secret) && stored.contains("curlew:"), "\(secret)")
      }

      // Without Redis, and with one that has lost all values.
      await redis.stop()
      #expect(try await users(servers, first) == ["ada", "ada", "ada"])
      let third = try await send("user=grace", to: "\(servers[0])/sign-in").cookie
      #expect(try await users(servers, third) == ["grace", "", ""])
      let next = try await RedisProcess(at: redis.socket)
      try await eventually("all know both") {
        try await users(servers, first) + users(servers, third)
          == ["ada", "ada", "ada", "grace", "grace", "grace"]
      }

      for server in servers {
        let metrics = try await Self.http.execute(
          HTTPClientRequest(url: server + "/metrics"), timeout: .seconds(30))
        let text = String(buffer: try await metrics.body.collect(upTo: 1 << 20))
        #expect(text.contains("\ncurlew_fleet_reconnections 1.0\n"), "\(text)")
      }

      _ = try await send("", to: "\(servers[1])/sign-out", first)
      for cookie in [first, second] {
        try await eventually("the sign-in has ended") {
          try await users(servers, cookie) == ["", "", ""]
        }
      }
      #expect(try await users(servers, third) == ["grace", "grace", "grace"])
      for process in processes { await process.stop() }
      await next.stop()
    }
  }
#endif
