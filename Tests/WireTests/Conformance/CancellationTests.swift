import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Cancelling the task closes the transfer", .timeLimit(.minutes(1)))
struct CancellationTests {
  @Test(arguments: TransportUnderTest.allCases)
  func cancellingBeforeTheHeadClosesTheConnection(transport: TransportUnderTest) async throws {
    let (arrived, closed) = (Gate(), Gate())
    try await withTestServer { exchange in
      arrived.open()
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server)
      let task = Task { await client.result(of: Request<Data>.get("/")) }
      await arrived.wait()
      task.cancel()
      guard case .failure(.cancelled) = await task.value else {
        Issue.record("Not cancelled: \(await task.value)")
        return
      }
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func cancellingInTheBodyClosesTheConnection(
    transport: TransportUnderTest
  ) async throws {
    for framing in ["Content-Length: 10", "Transfer-Encoding: chunked"] {
      try await cancelInTheBody(transport, framing)
    }
  }

  private func cancelInTheBody(
    _ transport: TransportUnderTest, _ framing: String
  ) async throws {
    let (reading, closed) = (Gate(), Gate())
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
      try await exchange.write(framing.hasSuffix("chunked") ? "3\r\nabc\r\n" : "abc")
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) {
        $0.middleware = [Observing { $0.open(reading) }]
      }
      let task = Task { await client.result(of: Request<Data>.get("/")) }
      await reading.wait()
      task.cancel()
      guard case .failure(.cancelled) = await task.value else {
        Issue.record("Not cancelled: \(await task.value)")
        return
      }
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func cancelledTaskSendsNothing(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond()
    } _: { server in
      let client = try transport.client(server)
      let start = Gate()
      let task = Task {
        await start.wait()
        return await client.result(of: Request<Data>.get("/"))
      }
      task.cancel()
      start.open()
      guard case .failure(.cancelled) = await task.value else {
        Issue.record("Not cancelled: \(await task.value)")
        return
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func droppingTheBodyClosesTheConnection(transport: TransportUnderTest) async throws {
    let closed = Gate()
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) { $0.middleware = [Replacing()] }
      let value = try await client.send(Request<String>.get("/"))
      #expect(value == "instead")
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func oneOfManyIsCancelled(transport: TransportUnderTest) async throws {
    let (arrived, release) = (Gate(), Gate())
    try await withTestServer { exchange in
      if exchange.path == "/stuck" {
        arrived.open()
        await exchange.closed()
      } else {
        await release.wait()
        try await exchange.respond(200, [], "fine")
      }
    } _: { server in
      let client = try transport.client(server)
      async let other = client.send(Request<String>.get("/other"))
      let stuck = Task { await client.result(of: Request<String>.get("/stuck")) }
      await arrived.wait()
      stuck.cancel()
      _ = await stuck.value
      release.open()
      let value = try await other
      #expect(value == "fine")
    }
  }

  /// Responds with something else, and leaves the response's body unread.
  private struct Replacing: Middleware {
    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      var response = try await next(request)
      response.body = ResponseBody(Data("instead".utf8))
      return response
    }
  }
}
