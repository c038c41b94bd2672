import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Each test runs in its own process, whose environment it changes.
@Suite("Proxies in the environment", .timeLimit(.minutes(1)))
struct ProxyEnvironmentTests {
  @Test(arguments: [false, true])
  func `both transports use them`(isSession: Bool) async {
    await #expect(processExitsWith: .success) { [isSession] in
      try await withTestServer { server in
        try await withProxy { proxy in
          setenv("http_proxy", "http://me:s3cret-proxy@127.0.0.1:\(proxy.port)", 1)
          let client = client(server, isSession)
          for _ in 0..<2 { try await client.send(Request<Void>.get("/x")) }
          let line = "GET \(server.origin)/x HTTP/1.1"
          try #require(proxy.lines == [line, line])
          let sent = proxy.requests.map { $0.value(of: "Proxy-Authorization") }
          try #require(Set(sent) == ["Basic bWU6czNjcmV0LXByb3h5"])
          try #require(server.requests.count == 2)
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `both transports make tunnels`(isSession: Bool) async {
    await #expect(processExitsWith: .success) { [isSession] in
      for (status, kind) in [
        ("407 No", Client.TransportFailure.Kind.tls), ("502 Bad Gateway", .unreachable),
      ] {
        try await withProxy(TestProxy(tunnelStatus: status)) { proxy in
          setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
          let client = Client(baseURL: "https://example.invalid") {
            $0.transport =
              isSession ? .urlSession(proxy: current) : .asyncHTTPClient(proxy: current)
            $0.limits = .untimed
          }
          let failure = try await client.transportFailure()
          try #require(failure.kind == kind, "\(failure)")
          try #require(proxy.lines == ["CONNECT example.invalid:443 HTTP/1.1"])
        }
        unsetenv("https_proxy")
      }
    }
  }

  /// The proxy's response to `CONNECT` is not the server's.
  @Test(arguments: [false, true])
  func `the server in a tunnel is checked`(isSession: Bool) async {
    await #expect(processExitsWith: .success) { [isSession] in
      try await withTLSServer(try .selfSigned()) { server in
        try await withProxy { proxy in
          setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
          let client = Client(baseURL: try BaseURL(server.origin)) {
            $0.transport = isSession ? .urlSession : .asyncHTTPClient
            $0.limits = .untimed
          }
          let failure = try await client.transportFailure()
          try #require(failure.kind == .untrusted, "\(failure)")
          try #require(proxy.lines == ["CONNECT localhost:\(server.port) HTTP/1.1"])
        }
      }
    }
  }

  @Test func `a proxy without an address is told by a session`() async {
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://proxy.invalid:1", 1)
      let client = Client(baseURL: "http://example.com") {
        $0.transport = .urlSession
        $0.limits = .untimed
      }
      let failure = try await client.transportFailure()
      try #require(failure.kind == .nameNotResolved, "\(failure)")
    }
  }

  @Test(arguments: [false, true])
  func `both transports leave them for listed servers`(isSession: Bool) async {
    await #expect(processExitsWith: .success) { [isSession] in
      try await withTestServer { server in
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("no_proxy", "example.com, 127.0.0.1", 1)
        try await client(server, isSession).send(Request<Void>.get("/x"))
        try #require(server.requests.count == 1)
      }
    }
  }

  /// A CGI program gets the header field `Proxy` of a client's request in this variable.
  @Test(arguments: [false, true])
  func `neither transport uses the httpoxy variable`(isSession: Bool) async {
    await #expect(processExitsWith: .success) { [isSession] in
      try await withTestServer { server in
        setenv("HTTP_PROXY", "http://127.0.0.1:1", 1)
        try await client(server, isSession).send(Request<Void>.get("/x"))
        try #require(server.requests.count == 1)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a malformed variable is an invalid request`(isSession: Bool) async {
    await #expect(processExitsWith: .success) { [isSession] in
      try await withTestServer { server in
        setenv("all_proxy", "socks5://me:s3cret@127.0.0.1:1", 1)
        let error = try await client(server, isSession).failure(of: Request<Void>.get("/x"))
        try #require(error.invalidRequest?.reason.contains("all_proxy is malformed") == true)
        try #require(!"\(error)".contains("s3cret") && server.requests.isEmpty)
      }
    }
  }

  @Test func `none switches them off`() async {
    await #expect(processExitsWith: .success) {
      try await withTestServer { server in
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        let client = Client(baseURL: server.baseURL) {
          $0.transport = .asyncHTTPClient(proxy: .none)
          $0.limits = .untimed
        }
        try await client.send(Request<Void>.get("/x"))
        try #require(server.requests.count == 1)
      }
    }
  }

  #if os(Linux)
    /// There, `URLSession` uses the environment's proxies whatever its configuration is.
    @Test func `a session on Linux refuses other proxies`() async {
      await #expect(processExitsWith: .success) {
        try await withTestServer { server in
          func refusal(_ proxy: Proxy) async throws -> String? {
            let client = Client(baseURL: server.baseURL) {
              $0.transport = .urlSession(proxy: proxy)
            }
            return await client.result(of: Request<Void>.get("/x")).failure?.invalidRequest?.reason
          }
          let mine: Proxy = "http://me:s3cret@127.0.0.1:1"
          let none = try await refusal(.none)
          try #require(none == nil && server.requests.count == 1)
          let unset = try #require(try await refusal(mine))
          try #require(unset.contains("here none instead of http://***@127.0.0.1:1: use"))
          setenv("http_proxy", "http://me:s3cret@127.0.0.1:2", 1)
          let off = try #require(try await refusal(.none))
          try #require(off.contains("here http://***@127.0.0.1:2 instead of none: use"))
          let other = try #require(try await refusal(mine))
          try #require(other.contains("127.0.0.1:2 instead of http://***@127.0.0.1:1"))
          // libcurl knows no ports in the list.
          setenv("no_proxy", "127.0.0.1:\(server.port)", 1)
          let variables = ProcessInfo.processInfo.environment
          try #require(try await refusal(.environment(variables)) != nil)
          let configuration = URLSessionConfiguration.ephemeral
          configuration.connectionProxyDictionary = [:]
          let client = Client(baseURL: server.baseURL) {
            $0.transport = URLSessionTransport(configuration: configuration)
          }
          let error = try await client.failure(of: Request<Void>.get("/x"))
          try #require("\(error)".contains("ignores connectionProxyDictionary"))
          try #require(server.requests.count == 1)
        }
      }
    }
  #endif
}

/// The environment now: `.environment` reads it once.
private var current: Proxy { .environment(ProcessInfo.processInfo.environment) }

private func client(_ server: TestServer, _ isSession: Bool) -> Client {
  Client(baseURL: server.baseURL) {
    $0.transport = isSession ? .urlSession : .asyncHTTPClient
    // Many such processes start at once.
    $0.limits = .untimed
  }
}
