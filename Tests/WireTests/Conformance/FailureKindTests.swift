import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Curlew

@Suite("What happened on a connection is told by a kind", .timeLimit(.minutes(1)))
struct FailureKindTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `name that does not exist`(transport: TransportUnderTest) async throws {
    let failure = try await transport.failure(.nameNotResolved, from: "http://host.invalid")
    if transport == .asyncHTTPClient {
      #expect(failure.reason == "the host name could not be resolved (host.invalid)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `port on which nothing listens`(transport: TransportUnderTest) async throws {
    let origin = try await withFaultServer { $0.origin }
    let failure = try await transport.failure(.refused, from: origin)
    #expect(failure.request == "GET \(origin)/")
    #expect(!failure.reason.isEmpty)
    if transport == .asyncHTTPClient {
      #expect(failure.reason == "connection refused (\(origin.dropFirst("http://".count)))")
    }
    #expect(Client.Error.transport(failure).isRetryable)
    #expect(
      Client.Error.transport(failure).localizedDescription
        == UserTexts.english.connectionRefused)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `address without a route`(transport: TransportUnderTest) async throws {
    // No system connects to a multicast address.
    try await transport.failure(.unreachable, from: "http://224.0.0.1")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `certificate that nobody trusts`(transport: TransportUnderTest) async throws {
    for certificate in [try TestCertificate.selfSigned(), try .authority().issue()] {
      try await withTLSServer(certificate) { server in
        try await transport.failure(.untrusted, from: server.origin)
        #expect(server.requests.isEmpty)
        #expect(server.connections == 1)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `plain HTTP on a port for TLS`(transport: TransportUnderTest) async throws {
    try await withConnections {
      let text = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
      $0.writeAndFlush(ByteBuffer(string: text), promise: nil)
    } _: { origin in
      let failure = try await transport.failure(.tls, from: origin)
      if transport == .asyncHTTPClient {
        #expect(failure.reason == "the server does not speak TLS on this port")
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `connection closed in the handshake`(transport: TransportUnderTest) async throws {
    try await withConnections { channel in
      try? channel.pipeline.syncOperations.addHandler(ClosingAtFirstRead())
    } _: { origin in
      let failure = try await transport.failure(.lost, from: origin)
      #expect(Client.Error.transport(failure).isRetryable)
      if transport == .asyncHTTPClient {
        #expect(failure.reason == "the connection was closed in the TLS handshake")
      }
    }
  }
}

extension TransportUnderTest {
  /// Sends a request that must fail in the transport with this kind.
  @discardableResult
  fileprivate func failure(
    _ kind: Client.TransportFailure.Kind, from origin: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Client.TransportFailure {
    let client = Client(baseURL: try BaseURL(origin)) {
      $0.transport = transport
      // Some networks drop DNS queries; then the system's own timeout ends the lookup.
      ($0.limits.connect, $0.limits.firstByte, $0.limits.total) = (nil, nil, nil)
    }
    let failure = try await client.transportFailure()
    #expect(failure.kind == kind, "\(failure)", sourceLocation: sourceLocation)
    return failure
  }
}
