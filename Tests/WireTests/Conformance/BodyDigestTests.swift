import Curlew
import CurlewDigest
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Digests of bodies", .timeLimit(.minutes(1)))
struct BodyDigestTests {
  private let wrong = "Content-Digest: \(DigestField(of: Data("another".utf8)))\r\n"

  private func checking(
    _ transport: TransportUnderTest, _ server: TestServer
  ) throws -> Client {
    try transport.client(server) { $0.middleware = [.checkingDigests()] }
  }

  /// The digest is computed from the encoded body, which is no longer available.
  @Test(arguments: TransportUnderTest.allCases)
  func `a body that the transport decoded is not checked`(transport: TransportUnderTest)
    async throws
  {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer { [wrong] in
      try await $0.respond(coding: "gzip", fields: wrong, body)
    } _: { server in
      let value = try await checking(transport, server).send(Request<String>.get("/"))
      #expect(value == Sample.text)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `another body than that of the digest is an error`(transport: TransportUnderTest)
    async throws
  {
    try await withTestServer { [wrong] in
      try await $0.respond(coding: "identity", fields: wrong, Data(Sample.text.utf8))
    } _: { server in
      let failure = try await checking(transport, server).transportFailure(
        of: Request<String>.get("/"))
      #expect(failure.kind == .digest)
    }
  }
}
