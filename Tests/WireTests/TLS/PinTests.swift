import AsyncHTTPClient
import Crypto
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import TestSupport
import Testing

@Suite("Pinned public keys", .timeLimit(.minutes(1)))
struct PinTests {
  let root: TestCertificate
  let other: ServerTrust.Pin

  init() throws {
    root = try .authority()
    other = try root.issue().pin
  }

  @Test(arguments: [["h2", "http/1.1"], ["http/1.1"]])
  func `server with the pinned key is accepted`(protocols: [String]) async throws {
    let certificate = try root.issue()
    try await withTLSServer(certificate, options: .init(protocols: protocols)) { server in
      let client = try Client.tls(server.origin, trusting: root) {
        $0.trust.pins = [try certificate.pin]
      }
      for _ in 0..<2 { try await client.send(Request<Void>.get("/")) }
      #expect(server.requests.map(\.isHTTP2) == Array(repeating: protocols.count == 2, count: 2))
      #expect(server.connections == 1)
    }
  }

  @Test
  func `one of several pins is enough`() async throws {
    let certificate = try root.issue()
    try await withTLSServer(certificate) { server in
      let client = try Client.tls(server.origin, trusting: root) {
        $0.trust.pins = [other, try certificate.pin]
      }
      try await client.send(Request<Void>.get("/"))
    }
  }

  @Test
  func `renewed certificate keeps its pin`() async throws {
    let key = P256.Signing.PrivateKey()
    let pin = try root.issue(key: key).pin
    try await withTLSServer(try root.issue(days: -0.5..<30, key: key)) { server in
      let client = try Client.tls(server.origin, trusting: root) { $0.trust.pins = [pin] }
      try await client.send(Request<Void>.get("/"))
    }
  }

  @Test(arguments: [["h2", "http/1.1"], ["http/1.1"]])
  func `other key is refused before a request is sent`(protocols: [String]) async throws {
    let certificate = try root.issue()
    try await withTLSServer(certificate, options: .init(protocols: protocols)) { server in
      let pin = try certificate.pin
      let pins: Set = [other, try root.pin]
      let client = try Client.tls(server.origin, trusting: root) {
        $0.trust.pins = pins
      } configure: {
        $0.middleware = [.retrying()]
      }
      let failure = try await client.transportFailure()
      let expected = pins.map(\.description).sorted().joined(separator: " or ")
      #expect(
        failure.reason == "the server's public key matches none of the pins "
          + "(got \(pin), expected \(expected))")
      #expect(failure.kind == .untrusted)
      #expect(server.requests.isEmpty)
      #expect(server.connections == 1)
    }
  }

  @Test
  func `many requests to other keys all fail`() async throws {
    try await withTLSServer(try root.issue()) { server in
      let client = try Client.tls(server.origin, trusting: root) { $0.trust.pins = [other] }
      let failures = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<64 {
          group.addTask { (try? await client.transportFailure().kind == .untrusted) ?? false }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(failures == 64)
      #expect(server.requests.count == 0)
    }
  }

  @Test
  func `client may go right after a refusal`() async throws {
    try await withTLSServer(try root.issue()) { server in
      for _ in 0..<20 {
        let transport = AsyncHTTPClientTransport(tls: try settings)
        let client = Client(baseURL: try BaseURL(server.origin)) { $0.transport = transport }
        let failure = try await client.transportFailure()
        #expect(failure.kind == .untrusted)
        try await transport.shutdown()
      }
    }
  }

  /// Settings that reject every server.
  private var settings: TLSSettings {
    get throws {
      var tls = TLSSettings()
      tls.trust.roots = .only(try root.certificates)
      tls.trust.pins = [other]
      return tls
    }
  }

  @Test
  func `pinned key does not make an issuer trusted`() async throws {
    let certificate = try root.issue()
    try await withTLSServer(certificate) { server in
      let client = try Client.tls(server.origin, trusting: try .authority()) {
        $0.trust.pins = [try certificate.pin]
      }
      let failure = try await client.transportFailure()
      #expect(failure.reason.hasPrefix("the certificate is not accepted"))
    }
  }

  @Test
  func `plain connection is refused when there are pins`() async throws {
    try await withTestServer {
      try await $0.respond(200, [], "fine")
    } _: { server in
      let client = try Client.tls(server.origin, trusting: nil) { $0.trust.pins = [other] }
      let failure = try await client.transportFailure()
      #expect(failure.reason == "pins require https, but the connection is not encrypted (http)")
      #expect(failure.kind == .untrusted)
      #expect(server.requests.isEmpty)
    }
  }

  @Test
  func `pins hold for a client of the callers too`() async throws {
    try await withTLSServer(try root.issue()) { server in
      try await HTTPClient.withHTTPClient(configuration: .curlew(tls: try settings)) { http in
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.transport = AsyncHTTPClientTransport(http)
        }
        let failure = try await client.transportFailure()
        #expect(failure.reason.hasPrefix("the server's public key matches none of the pins"))
      }
    }
  }
}
