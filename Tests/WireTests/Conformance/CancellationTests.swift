import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Cancelling the task closes the transfer", .timeLimit(.minutes(1)))
struct CancellationTests {
  @Test(
    arguments: TransportUnderTest.allCases,
    [
      "Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      // A zlib header, and the data that decodes to `ab`.
      "Content-Encoding: deflate\r\nContent-Length: 10\r\n\r\nx\u{1}KLJ",
    ])
  func `cancelling in the body closes the connection`(
    transport: TransportUnderTest, rest: String
  ) async throws {
    let (reading, closed) = (Gate(), Gate())
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\n" + rest)
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) {
        $0.middleware = [Observing { $0.open(reading) }]
      }
      let task = Task { await client.result(of: Request<Data>.get("/")) }
      await reading.wait()
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cancelled task sends nothing`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let client = try transport.client(server)
      let start = Gate()
      let task = Task {
        await start.wait()
        return await client.result(of: Request<Data>.get("/"))
      }
      task.cancel()
      start.open()
      #expect(await task.value.failure?.isCancelled == true)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `dropping the body closes the connection`(transport: TransportUnderTest) async throws {
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
  func `one of many is cancelled`(transport: TransportUnderTest) async throws {
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

  /// Returns another response, and leaves the original response's body unread.
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
