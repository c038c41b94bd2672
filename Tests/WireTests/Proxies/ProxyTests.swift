import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@Suite("Requests through a proxy", .timeLimit(.minutes(1)))
struct ProxyTests {
  private static let basic = "Basic bWU6czNjcmV0LXByb3h5"

  private func address(_ proxy: TestProxy, _ user: String = "me:s3cret-proxy@") throws -> Proxy {
    try Proxy("http://\(user)127.0.0.1:\(proxy.port)")
  }

  private func client(
    _ server: TestServer, through proxy: Proxy, _ middleware: [any Middleware] = []
  ) -> Client {
    Client(baseURL: server.baseURL) {
      ($0.transport, $0.middleware) = (.asyncHTTPClient(proxy: proxy), middleware)
    }
  }

  @Test func `an http request goes to it with its whole URL`() async throws {
    try await withTestServer { exchange in
      try await exchange.respond(200, [], exchange.request.text)
    } _: { server in
      try await withProxy(TestProxy(authorization: Self.basic)) { proxy in
        let client = client(server, through: try address(proxy))
        let get = Request<String>.get(
          "/x", query: ["y": "a b"], headerFields: [.accept: "text/plain"])
        #expect(try await client.send(get) == "")
        #expect(try await client.send(Request<String>.post("/x", body: .json([1]))) == "[1]")
        let host = server.origin.dropFirst("http://".count)
        #expect(
          proxy.lines == [
            "GET \(server.origin)/x?y=a%20b HTTP/1.1", "POST \(server.origin)/x HTTP/1.1",
          ])
        // The connection to the proxy is reused.
        #expect(proxy.requests.map(\.connection) == [0, 0])
        #expect(proxy.requests.map { $0.value(of: "Host") } == [String(host), String(host)])
        #expect(server.requests.map(\.target) == ["/x?y=a%20b", "/x"])
        #expect(server.requests[0]["Accept"] == "text/plain")
        let names = server.requests.flatMap { $0.fields.map { $0.name.lowercased() } }
        #expect(!names.contains { $0.hasPrefix("curlew") || $0.hasPrefix("proxy") }, "\(names)")
      }
    }
  }

  @Test func `an endpoint's own Host does not change its way`() async throws {
    try await withTestServer { server in
      try await withProxy { proxy in
        let client = client(server, through: try address(proxy, ""))
        let host = try #require(HTTPField.Name("Host"))
        try await client.send(Request<Void>.get("/x", headerFields: [host: "other.test"]))
        #expect(proxy.lines == ["GET \(server.origin)/x HTTP/1.1"])
        #expect(server.requests.map { $0["Host"] } == ["other.test"])
        #expect(proxy.requests[0].value(of: "Proxy-Authorization") == nil)
      }
    }
  }

  @Test(arguments: [["h2", "http/1.1"], ["http/1.1"]])
  func `an https request goes through a tunnel`(protocols: [String]) async throws {
    let root = try TestCertificate.authority()
    try await withTLSServer(try root.issue(), options: .init(protocols: protocols)) { server in
      try await withProxy(TestProxy(authorization: Self.basic)) { proxy in
        var tls = TLSSettings()
        tls.trust.roots = .only(try root.certificates)
        let address = try address(proxy)
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.clock = TestClock()  // no time limit ends a connection that is slow on a busy machine
          $0.transport = .asyncHTTPClient(tls: tls, proxy: address)
        }
        for _ in 0..<2 { #expect(try await client.send(Request<String>.get("/x")) == "fine") }
        #expect(proxy.lines == ["CONNECT localhost:\(server.port) HTTP/1.1"])
        #expect(server.requests.map(\.isHTTP2) == [protocols.count == 2, protocols.count == 2])
        #expect(!server.requests[0].head.headers.contains(name: "Proxy-Authorization"))
      }
    }
  }

  @Test func `listed servers are reached directly`() async throws {
    try await withTestServer { server in
      try await withProxy { proxy in
        for exceptions in [
          "127.0.0.1", "*", "[::1], 127.0.0.1:\(server.port)",
        ] {
          let address = try Proxy(
            "http://127.0.0.1:\(proxy.port)", except: ProxyExceptions(exceptions))
          try await client(server, through: address).send(Request<Void>.get("/x"))
        }
        try await client(server, through: .none).send(Request<Void>.get("/x"))
        #expect(proxy.lines == [] && server.requests.count == 4)
      }
    }
  }

  /// The proxy quotes the credentials that it got.
  @Test func `a refused http request is a masked 407`() async throws {
    try await withTestServer { server in
      try await withProxy(TestProxy(authorization: "Basic other")) { proxy in
        let log = Mutex([String]())
        let recorder = HARRecorder()
        let address = try address(proxy)
        let client = Client(baseURL: server.baseURL) {
          $0.transport = .asyncHTTPClient(proxy: address)
          $0.observers = [.calling { event in log.withLock { $0.append("\(event)") } }]
          ($0.middleware, $0.networkMiddleware) = ([.retrying()], [.recording(recorder)])
        }
        let error = try await client.failure(of: Request<Void>.get("/x"))
        let failure = try #require(error.statusFailure)
        #expect(failure.response.status.code == 407)
        #expect(String(decoding: failure.body, as: UTF8.self) == "no: ***")
        var texts = ["\(error)", "\(failure)", "\(client.configuration)", "\(client)"]
        dump(error, to: &texts[0])
        dump(client.configuration, to: &texts[1])
        texts +=
          log.withLock { $0 } + [String(decoding: recorder.har.data(), as: UTF8.self)]
        for text in texts {
          #expect(!text.contains("s3cret") && !text.contains("bWU6"), "\(text)")
        }
        #expect(proxy.lines.count == 1 && server.requests.isEmpty)
      }
    }
  }

  @Test(arguments: [
    ("407 No", Client.TransportFailure.Kind.tls, false), ("403 No", .unreachable, true),
    ("502 Bad Gateway", .unreachable, true),
  ])
  func `a refused tunnel is told`(
    status: String, kind: Client.TransportFailure.Kind, isRetryable: Bool
  ) async throws {
    try await withProxy(TestProxy(tunnelStatus: status)) { proxy in
      let address = try address(proxy)
      let client = Client(baseURL: "https://example.invalid") {
        $0.transport = .asyncHTTPClient(proxy: address)
      }
      let error = try await client.failure(of: Request<Void>.get("/x"))
      #expect(error.transportFailure?.kind == kind, "\(error)")
      #expect(error.isRetryable == isRetryable)
      #expect("\(error)".contains("the proxy re"))
      #expect(proxy.lines == ["CONNECT example.invalid:443 HTTP/1.1"])
    }
  }

  @Test func `a proxy that is not there refuses the connection`() async throws {
    let port = try await withProxy { $0.port }
    try await withTestServer { server in
      let client = client(server, through: try Proxy("http://me:s3cret@127.0.0.1:\(port)"))
      let failure = try await client.transportFailure(of: Request<String>.get("/x"))
      #expect(failure.kind == .refused)
      #expect(failure.reason == "connection refused (127.0.0.1:\(port))")
    }
  }
}
