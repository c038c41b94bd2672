import Curlew
import CurlewAsyncHTTPClient
import NIOSSL
import TestSupport
import Testing

@Suite("A client certificate (mTLS)", .timeLimit(.minutes(1)))
struct IdentityTests {
  /// A TLS version and the offered protocols.
  static let ways: [(TLSVersion, [String])] = explained + [(.tlsv13, ["h2"])]

  /// The combinations in which a refusal arrives with its reason.
  ///
  /// TLS 1.3 sends it when the client's handshake is already over, and AsyncHTTPClient, which then waits for the
  /// server's HTTP/2 settings, drops it.
  static let explained: [(TLSVersion, [String])] = [
    (.tlsv12, ["http/1.1"]), (.tlsv13, ["http/1.1"]), (.tlsv12, ["h2"]),
  ]

  let root: TestCertificate
  let clients: TestCertificate

  init() throws {
    root = try .authority()
    clients = try .authority("Clients' CA")
  }

  private func withTestServer(
    _ way: (version: TLSVersion, protocols: [String]),
    _ test: (TLSServer) async throws -> Void
  ) async throws {
    try await withTLSServer(
      try root.issue(),
      options: .init(protocols: way.protocols, clientRoots: clients, newestVersion: way.version)
    ) {
      try await test($0)
    }
  }

  @Test(arguments: ways)
  func `known certificate is accepted`(version: TLSVersion, protocols: [String]) async throws {
    try await withTestServer((version, protocols)) { server in
      let client = try Client.tls(server.origin, trusting: root) {
        $0.identity = try clients.issue().identity
      }
      try await client.send(Request<Void>.get("/"))
      #expect(server.requests.map(\.hasClientCertificate) == [true])
    }
  }

  @Test(arguments: explained)
  func `missing certificate is said`(version: TLSVersion, protocols: [String]) async throws {
    try await withTestServer((version, protocols)) { server in
      let failure = try await Client.tls(server.origin, trusting: root).transportFailure()
      #expect(
        failure.reason
          == (version == .tlsv13
            ? "the server requires a client certificate, or refused it (certificate required)"
            : "the server refused the TLS handshake: it may require a client certificate, "
              + "or not accept it"))
      #expect(failure.kind == (version == .tlsv13 ? .untrusted : .tls))
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: explained)
  func `certificate of another issuer is refused`(version: TLSVersion, protocols: [String])
    async throws
  {
    try await withTestServer((version, protocols)) { server in
      let client = try Client.tls(server.origin, trusting: root) {
        $0.identity = try root.issue().identity
      }
      let failure = try await client.transportFailure()
      #expect(
        failure.reason == "the server requires a client certificate, or refused it (unknown ca)")
      #expect(failure.kind == .untrusted)
      #expect(server.requests.isEmpty)
    }
  }

  @Test
  func `refusal over HTTP2 and TLS13 is a lost connection`() async throws {
    try await withTestServer((.tlsv13, ["h2"])) { server in
      let failure = try await Client.tls(server.origin, trusting: root).transportFailure()
      #expect(failure.reason == "the connection was closed before the response was complete")
      #expect(server.requests.isEmpty)
    }
  }

  @Test
  func `expired certificate is refused`() async throws {
    try await withTestServer((.tlsv13, ["http/1.1"])) { server in
      let client = try Client.tls(server.origin, trusting: root) {
        $0.identity = try clients.issue(days: -3 ..< -1).identity
      }
      let failure = try await client.transportFailure()
      #expect(
        failure.reason
          == "the server requires a client certificate, or refused it (certificate expired)")
    }
  }

  @Test
  func `certificate is not shown to a server that does not ask`() async throws {
    try await withTLSServer(try root.issue()) { server in
      let client = try Client.tls(server.origin, trusting: root) {
        $0.identity = try clients.issue().identity
      }
      try await client.send(Request<Void>.get("/"))
      #expect(server.requests.map(\.hasClientCertificate) == [false])
    }
  }
}
