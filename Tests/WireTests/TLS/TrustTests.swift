import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import Foundation
import NIOSSL
import TestSupport
import Testing

@Suite("Whom a client trusts", .timeLimit(.minutes(1)))
struct TrustTests {
  let root: TestCertificate
  let notAccepted =
    "the certificate is not accepted: it has expired, is not valid yet, "
    + "or its issuer is not trusted"

  init() throws {
    root = try .authority()
  }

  @Test
  func `certificate of an extra root is accepted`() async throws {
    let certificates = try root.certificates
    for roots: ServerTrust.Roots in [.systemAnd(certificates), .only(certificates)] {
      try await withTLSServer(try root.issue()) { server in
        let client = try Client.tls(server.origin, trusting: nil) { $0.trust.roots = roots }
        let text = try await client.send(Request<String>.get("/"))
        #expect(text == "fine")
        #expect(server.connections == 1)
      }
    }
  }

  @Test
  func `self signed certificate that is a root is accepted`() async throws {
    let certificate = try TestCertificate.selfSigned()
    try await withTLSServer(certificate) { server in
      let client = try Client.tls(server.origin, trusting: certificate)
      try await client.send(Request<Void>.get("/"))
    }
  }

  @Test
  func `certificate for the address is accepted`() async throws {
    try await withTLSServer(try root.issue(names: ["127.0.0.1"])) { server in
      let client = try Client.tls("https://127.0.0.1:\(server.port)", trusting: root)
      try await client.send(Request<Void>.get("/"))
    }
  }

  @Test
  func `other address is refused`() async throws {
    try await withTLSServer(try root.issue(names: ["127.0.0.2", "localhost"])) { server in
      let failure = try await Client.tls("https://127.0.0.1:\(server.port)", trusting: root)
        .transportFailure()
      #expect(failure.reason == "the certificate is for another host name")
      #expect(failure.kind == .untrusted)
    }
  }

  @Test
  func `unknown issuer is refused`() async throws {
    let other = try TestCertificate.authority("Other CA")
    for certificate in [try root.issue(), try .selfSigned()] {
      try await withTLSServer(certificate) { server in
        let client = try Client.tls(server.origin, trusting: other)
        let failure = try await client.transportFailure(
          of: .get("/secret", query: ["api_key": "hidden"]))
        #expect(failure.reason == notAccepted)
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test
  func `refused certificate is not worth a try`() async throws {
    try await withTLSServer(try root.issue()) { server in
      let client = try Client.tls(server.origin, trusting: try .authority()) {
        $0.minimumVersion = .v1_3
      } configure: {
        $0.middleware = [.retrying()]
      }
      let error = try await client.failure(of: Request<Void>.get("/"))
      #expect(!error.isRetryable)
      #expect(
        error.localizedDescription
          == "A secure connection could not be established: the server's identity can't be verified, "
          + "or the server does not accept this app.")
      #expect(server.connections == 1)
    }
  }

  @Test
  func `certificate of the system's roots alone is refused by them only`() async throws {
    try await withTLSServer(try root.issue()) { server in
      for transport: AsyncHTTPClientTransport in [
        .asyncHTTPClient(tls: TLSSettings()), .asyncHTTPClient,
      ] {
        let client = Client(baseURL: try BaseURL(server.origin)) { $0.transport = transport }
        let failure = try await client.transportFailure()
        #expect(failure.reason == notAccepted)
        #expect(failure.kind == .untrusted)
      }
    }
  }

  @Test
  func `other name is refused`() async throws {
    let names = ["other.example", "*.example.com"]
    try await withTLSServer(try root.issue(names: names)) { server in
      let failure = try await Client.tls(server.origin, trusting: root).transportFailure()
      #expect(failure.reason == "the certificate is for another host name")
      #expect(failure.kind == .untrusted)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [-3.0 ..< -1, 1..<3])
  func `certificate that is not valid now is refused`(days: Range<Double>) async throws {
    try await withTLSServer(try root.issue(days: days)) { server in
      let failure = try await Client.tls(server.origin, trusting: root).transportFailure()
      #expect(failure.reason == notAccepted)
      #expect(failure.kind == .untrusted)
      #expect(server.requests.isEmpty)
    }
  }

  @Test
  func `older version of TLS is refused`() async throws {
    try await withTLSServer(try root.issue(), options: .init(newestVersion: .tlsv12)) { server in
      try await Client.tls(server.origin, trusting: root).send(Request<Void>.get("/"))
      let client = try Client.tls(server.origin, trusting: root) { $0.minimumVersion = .v1_3 }
      let failure = try await client.transportFailure()
      #expect(failure.reason == "the server does not speak the required version of TLS")
      #expect(failure.kind == .tls)
    }
  }

  @Test
  func `broken version of TLS is refused`() async throws {
    try await withTLSServer(try root.issue(), options: .init(newestVersion: .tlsv11)) { server in
      let failure = try await Client.tls(server.origin, trusting: root).transportFailure()
      #expect(failure.reason == "the server does not speak the required version of TLS")
    }
  }
}
