import Curlew
import CurlewFaultServer
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import TestSupport
import Testing

@Suite("Broken connections are transport errors", .timeLimit(.minutes(1)))
struct FailureTests {
  @Test(arguments: TransportUnderTest.allCases)
  func refusedConnection(transport: TransportUnderTest) async throws {
    // A port that was free a moment ago.
    let port = try await withTestServer { _ in
    } _: {
      $0.port
    }
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(port)")) {
      $0.transport = transport.transport
    }
    let error = try await client.failure(of: Request<Void>.get("/thing"))
    guard case .transport(let failure) = error else { throw error }
    #expect(failure.request == "GET http://127.0.0.1:\(port)/thing")
    #expect(!failure.reason.isEmpty)
    #expect(error.isRetryable)
    if transport == .asyncHTTPClient {
      #expect(failure.reason == "connection refused (127.0.0.1:\(port))")
    }
    #expect(
      error.localizedDescription
        == "The server accepts no connections at the moment. Try again in a moment.")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func unknownHost(transport: TransportUnderTest) async throws {
    let client = Client(baseURL: "http://host.invalid") {
      $0.transport = transport.transport
      // Some networks let the question go unanswered; the system's own patience ends it.
      ($0.limits.connect, $0.limits.firstByte, $0.limits.total) = (nil, nil, nil)
    }
    let error = try await client.failure(of: Request<Void>.get("/"))
    guard case .transport(let failure) = error else { throw error }
    if transport == .asyncHTTPClient {
      #expect(failure.reason == "the host name could not be resolved (host.invalid)")
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ])
  func connectionClosedTooEarly(transport: TransportUnderTest, response: String) async throws {
    try await expectFailure(transport, closingAfter: response)
  }

  @Test(
    arguments: TransportUnderTest.all(but: .cutHead),
    ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-"])
  func connectionClosedInTheHead(transport: TransportUnderTest, response: String) async throws {
    try await expectFailure(transport, closingAfter: response)
  }

  private func expectFailure(
    _ transport: TransportUnderTest, closingAfter response: String
  ) async throws {
    try await withTestServer { exchange in
      try await exchange.write(response)
      try await exchange.close()
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      guard case .transport(let failure) = error else { throw error }
      if transport == .asyncHTTPClient {
        #expect(failure.reason == "the connection was closed before the response was complete")
      }
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      "this is not HTTP\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 99999 OK\r\n\r\n",
      "HTTP/1.1 1000 OK\r\n\r\n", "HTTP/1.1 0 OK\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc",
    ])
  func malformedResponse(transport: TransportUnderTest, response: String) async throws {
    try await withTestServer { exchange in
      try await exchange.write(response)
      try await exchange.close()
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      guard case .transport = error else { throw error }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func clientGoesOnAfterAFailure(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      if exchange.path == "/bad" { try await exchange.close() }
      try await exchange.respond(200, [], "good")
    } _: { server in
      let client = try transport.client(server)
      for _ in 0..<3 {
        guard case .transport = try await client.failure(of: Request<Data>.get("/bad")) else {
          Issue.record("It did not fail.")
          return
        }
        let value = try await client.send(Request<String>.get("/good"))
        #expect(value == "good")
      }
    }
  }
}
