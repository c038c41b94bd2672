import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("A status outside 2xx is an error", .timeLimit(.minutes(1)))
struct StatusTests {
  @Test(
    arguments: TransportUnderTest.allCases,
    [300, 304, 400, 401, 403, 404, 407, 409, 410, 418, 422, 429, 500, 502, 503, 504])
  func `status is reported`(transport: TransportUnderTest, status: Int) async throws {
    try await withTestServer {
      try await $0.respond(status, [("X-A", "b")])
    } _: { server in
      let failure = try await transport.client(server).statusFailure(
        of: Request<Void>.get("/thing"))
      #expect(failure.response.status.code == status)
      #expect(failure.response.headerFields[.init("X-A") ?? .accept] == "b")
      #expect(failure.request == "GET \(server.origin)/thing")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `message of the server is found`(transport: TransportUnderTest) async throws {
    let body = #"{"message": "Validation Failed", "documentation_url": "https://example.com"}"#
    try await withTestServer {
      try await $0.respond(422, [], body)
    } _: { server in
      let error = try await transport.client(server).failure(
        of: Request<Void>.post("/thing", body: .json(["a": 1])))
      guard case .status(let failure) = error else { throw error }
      #expect(failure.message == "Validation Failed")
      #expect(String(decoding: failure.body, as: UTF8.self) == body)
      #expect("\(error)" == "POST \(server.origin)/thing: status 422: Validation Failed")
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["500 Oops", "401 Who\r\nWWW-Authenticate: Basic realm=\"a\""])
  func `first64 ki b of the body are kept`(
    transport: TransportUnderTest, head: String
  ) async throws {
    let closed = Gate()
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 \(head)\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n")
      try await exchange.write(Data(repeating: 97, count: 65536))
      try await exchange.write("\r\n10000000\r\n")
      await exchange.writeUntilClosed()
      closed.open()
    } _: { server in
      let failure = try await transport.client(server).statusFailure(of: Request<Void>.get("/"))
      #expect(failure.body == Data(repeating: 97, count: 65536))
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `body of an error is kept whatever the limit`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(500, [], String(repeating: "b", count: 5000))
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = 10 }
      let failure = try await client.statusFailure(of: Request<Void>.get("/"))
      #expect(failure.body.count == 5000)
    }
  }

}
