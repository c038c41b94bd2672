import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@Suite("What happened on a connection is told by a kind", .timeLimit(.minutes(1)))
struct FailureKindTests {
  typealias Kind = Client.TransportFailure.Kind

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let faults: [Fault]
    let kind: Kind

    init(_ name: String, _ faults: Fault..., is kind: Kind) {
      (testDescription, self.faults, self.kind) = (name, faults, kind)
    }
  }

  static let cases = [
    Case("closed without a response", .cut(after: .nothing), is: .lost),
    Case("closed after the head", .cut(after: 0), is: .lost),
    Case("closed in the body", .cut(after: 2), is: .lost),
    Case("closed in a chunk", .chunked(), .cut(after: 2), is: .lost),
    Case("closed between chunks", .brokenChunk(.noLastChunk), .cut(after: .everything), is: .lost),
    Case("reset without a response", .reset(after: .nothing), is: .lost),
    Case("reset in the body", .reset(after: 2), is: .lost),
    Case("no status line", .statusLine("ICY 200 OK"), is: .protocolError),
    Case("no status", .statusLine("HTTP/1.1 abc OK"), is: .protocolError),
    Case("status below 100", .statusLine("HTTP/1.1 099 OK"), is: .protocolError),
    Case("status above 999", .statusLine("HTTP/1.1 2000 OK"), is: .protocolError),
    Case("no header field", .headLine("no colon"), is: .protocolError),
    Case("zero byte in a field", .headLine("X-A: a\u{0}b"), is: .protocolError),
    Case("no length", .contentLength("abc"), is: .protocolError),
    Case("negative length", .contentLength("-1"), is: .protocolError),
    Case("two lengths", .contentLength("4, 5"), is: .protocolError),
    Case("no chunk size", .brokenChunk(.size("xyz")), is: .protocolError),
    Case("text as gzip", .headLine("Content-Encoding: gzip"), is: .contentCoding),
    Case("unknown coding", .headLine("Content-Encoding: unknown"), is: .contentCoding),
  ]

  @Test(arguments: TransportUnderTest.allCases, cases)
  func responseThatIsNone(transport: TransportUnderTest, one: Case) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(one.faults + [.cut(after: .everything)]))
      try await transport.expectFailure(one.kind, from: server.origin, path: "/x")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bytesOfTLSOnAPortForHTTP(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      let alert = Data([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46])
      server.stub(.get, "/x", with: .raw(alert).with(.cut(after: .everything)))
      try await transport.expectFailure(.protocolError, from: server.origin, path: "/x")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func nameThatDoesNotExist(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(.nameNotResolved, from: "http://host.invalid")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func addressWithoutARoute(transport: TransportUnderTest) async throws {
    // No system makes a connection to a multicast address.
    try await transport.expectFailure(.unreachable, from: "http://224.0.0.1")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func portOnWhichNothingListens(transport: TransportUnderTest) async throws {
    let origin = try await withFaultServer { $0.origin }
    try await transport.expectFailure(.refused, from: origin)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func certificateThatNobodyTrusts(transport: TransportUnderTest) async throws {
    for certificate in [try TestCertificate.selfSigned(), try .authority().issue()] {
      try await withTLSServer(certificate) { server in
        try await transport.expectFailure(.untrusted, from: server.origin)
        #expect(server.requests.isEmpty)
        #expect(server.connections == 1)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func plainHTTPOnAPortForTLS(transport: TransportUnderTest) async throws {
    try await withConnections {
      let text = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
      $0.writeAndFlush(ByteBuffer(string: text), promise: nil)
    } _: { origin in
      try await transport.expectFailure(.tls, from: origin)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionClosedInTheHandshake(transport: TransportUnderTest) async throws {
    try await withConnections { channel in
      try? channel.pipeline.syncOperations.addHandler(ClosingAtFirstRead())
    } _: { origin in
      try await transport.expectFailure(.lost, from: origin)
    }
  }
}

extension TransportUnderTest {
  /// Expects that a request fails in the transport with this kind.
  fileprivate func expectFailure(
    _ kind: Client.TransportFailure.Kind, from origin: String, path: Path = "/",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let client = Client(baseURL: try BaseURL(origin)) {
      $0.transport = transport
      // Some networks let the question for a name go unanswered; the system's own patience ends it.
      ($0.limits.connect, $0.limits.firstByte, $0.limits.total) = (nil, nil, nil)
    }
    let error = try await client.failure(of: Request<String>.get(path))
    guard case .transport(let failure) = error else { throw error }
    #expect(failure.kind == kind, "\(failure)", sourceLocation: sourceLocation)
  }
}
