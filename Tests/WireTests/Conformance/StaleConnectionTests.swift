import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("A kept connection that the server gave up", .timeLimit(.minutes(1)))
struct StaleConnectionTests {
  /// Retries without waits.
  private static var retrying: StandardMiddleware {
    var policy = RetryPolicy()
    policy.random = { 0 }
    return .retrying(policy)
  }

  /// Sends a request as the second request on a kept connection, which the server closes without a response; returns
  /// the request's result, and its attempts at the server.
  private func swallowed<Value>(
    _ transport: TransportUnderTest, _ request: Request<Value>,
    middleware: [any Middleware] = [Self.retrying]
  ) async throws -> (result: Result<Value, Client.Error>, requests: [WireRequest]) {
    let isSwallowed = Gate()
    return try await withTestServer { exchange in
      if exchange.path == "/x", !isSwallowed.isOpen {
        isSwallowed.open()
        return try await exchange.close()
      }
      try await exchange.respond(200, [], exchange.path)
    } _: { server in
      let client = try transport.client(server) {
        $0.transport = transport.freshTransport
        $0.middleware = middleware
      }
      try await client.send(Request<Void>.get("/first"))
      let result = await client.result(of: request)
      let requests = server.requests.filter { $0.path == "/x" }
      if transport.keepsConnections { #expect(requests.first?.connection == 0) }
      return (result, requests)
    }
  }

  private static let safe: [Request<String>] =
    ([.get, .put, .delete, .options] as [HTTPRequest.Method])
    .map { Request($0, "/x", decoding: .text) }
    + [.put("/x", body: .json(["a": 1])), .post("/x", body: .json([1])).retryable()]

  @Test(arguments: TransportUnderTest.allCases, safe)
  func `request that is safe to repeat is sent again`(
    transport: TransportUnderTest, request: Request<String>
  ) async throws {
    let (result, requests) = try await swallowed(transport, request)
    #expect(try result.get() == "/x")
    let method = request.method.rawValue
    #expect(requests.map(\.method) == [method, method])
    #expect(requests.first?.text == requests.last?.text)
    #expect(requests.first?.text.isEmpty == (request.body.contentType == nil))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `head is sent again`(transport: TransportUnderTest) async throws {
    let (result, requests) = try await swallowed(transport, Request<Void>.head("/x"))
    #expect(result.failure == nil)
    #expect(requests.count == 2)
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      Request<String>(.post, "/x", decoding: .text), Request(.patch, "/x", decoding: .text),
      .post("/x", body: .json(["a": 1])),
    ])
  func `request that is not idempotent is sent once`(
    transport: TransportUnderTest, request: Request<String>
  ) async throws {
    let (result, requests) = try await swallowed(transport, request)
    #expect(result.failure?.transportFailure != nil)
    #expect(requests.count == 1)
  }

  @Test func `request on a reused connection is sent again once without a middleware`() async throws
  {
    let (result, requests) = try await swallowed(
      .asyncHTTPClient, Request<String>.get("/x"), middleware: [])
    #expect(try result.get() == "/x")
    #expect(requests.map(\.connection) == [0, 1])
  }

  @Test(arguments: [.post, .patch] as [HTTPRequest.Method])
  func `request that is not idempotent is not sent again without a middleware`(
    method: HTTPRequest.Method
  ) async throws {
    let request = Request<String>(method, "/x", decoding: .text)
    let (result, requests) = try await swallowed(.asyncHTTPClient, request, middleware: [])
    #expect(result.failure != nil)
    #expect(requests.count == 1)
  }

  @Test func `request on a new connection is not sent again`() async throws {
    try await withTestServer { exchange in
      guard exchange.path == "/x" else { return try await exchange.respond() }
      try await exchange.close()
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      for count in [1, 3] {
        let failure = try await client.transportFailure(of: Request<String>.get("/x"))
        #expect(failure.kind == .lost)
        // The second attempt uses a kept connection and then a new connection.
        #expect(server.requests.filter { $0.path == "/x" }.count == count)
        try await client.send(Request<Void>.get("/first"))
      }
    }
  }

  // MARK: Closed while idle

  /// Sends a request, ends its connection while it is idle, and sends another request.
  private func second(
    _ transport: TransportUnderTest, _ request: Request<String>,
    after end: @escaping @Sendable (Exchange) async throws -> Void
  ) async throws -> (result: Result<String, Client.Error>, requests: [WireRequest]) {
    let isIdle = Gate()
    return try await withTestServer { exchange in
      try await exchange.respond(200, [], exchange.path)
      guard exchange.path == "/first" else { return }
      await isIdle.wait()
      try await end(exchange)
    } _: { server in
      let client = try transport.client(server) {
        $0.transport = transport.freshTransport
        $0.middleware = [Self.retrying]
      }
      try await client.send(Request<Void>.get("/first"))
      isIdle.open()
      await server.waitForClosedConnections(1)
      try await transport.turn()
      let result = await client.result(of: request)
      return (result, server.requests.filter { $0.path == "/x" })
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [(.get, false), (.put, false), (.get, true), (.put, true)] as [(HTTPRequest.Method, Bool)])
  func `connection that ends while idle is replaced`(
    transport: TransportUnderTest, one: (method: HTTPRequest.Method, isReset: Bool)
  ) async throws {
    let request = Request<String>(one.method, "/x", decoding: .text)
    let (result, requests) = try await second(transport, request) {
      if one.isReset { try await $0.reset() } else { try await $0.close() }
    }
    #expect(try result.get() == "/x")
    #expect(requests.map(\.connection) == [1])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `post after a connection was closed arrives once or fails`(
    transport: TransportUnderTest
  ) async throws {
    let request = Request<String>.post("/x", body: .json([1]))
    let (result, requests) = try await second(transport, request) { try await $0.close() }
    switch result {
    case .success(let text): #expect(text == "/x" && requests.map(\.text) == ["[1]"])
    case .failure(.transport): #expect(requests.isEmpty)
    case .failure(let error): throw error
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `all of many kept connections are replaced`(transport: TransportUnderTest) async throws {
    let (close, arrived) = (Gate(), Gate())
    try await withTestServer { exchange in
      // The earlier requests are held, so that each of the eight needs its own connection.
      if exchange.connection == 7 { arrived.open() }
      if exchange.connection < 8 { await arrived.wait() }
      try await exchange.respond(200, [], exchange.path)
      guard exchange.connection < 8 else { return }
      await close.wait()
      try await exchange.close()
    } _: { server in
      let client = try transport.client(server) {
        $0.transport = transport.freshTransport
        $0.middleware = [Self.retrying]
      }
      func sendAll(_ numbers: ClosedRange<Int>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in numbers {
            group.addTask { try await client.send(Request<Void>.get("/\(number)")) }
          }
          try await group.waitForAll()
        }
      }
      try await sendAll(1...8)
      close.open()
      await server.waitForClosedConnections(8)
      try await transport.turn()
      try await sendAll(11...18)
      #expect(server.requests.count == 16)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `response that breaks off is not asked for again without retries`(
    transport: TransportUnderTest
  ) async throws {
    try await withTestServer { exchange in
      if exchange.path == "/first" { return try await exchange.respond() }
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      try await exchange.close()
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      try await client.send(Request<Void>.get("/first"))
      let error = try await client.failure(of: Request<Data>.get("/x"))
      guard case .transport = error else { throw error }
      #expect(server.requests.count == 2)
    }
  }
}
