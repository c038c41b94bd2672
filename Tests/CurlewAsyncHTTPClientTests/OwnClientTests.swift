import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite("An AsyncHTTPClient of the caller's", .timeLimit(.minutes(1)))
struct OwnClientTests {
  @Test
  func `request of one that was shut down fails`() async throws {
    let http = HTTPClient(configuration: .curlew)
    try await http.shutdown()
    let client = Client(baseURL: "http://127.0.0.1:9") {
      $0.transport = AsyncHTTPClientTransport(http)
    }
    guard case .transport(let failure) = try await client.failure(of: Request<Void>.get("/")) else {
      Issue.record("It is a failure of the transport.")
      return
    }
    #expect(failure.reason == "the HTTP client was shut down")
  }

  /// The pool reassigns a connection as soon as a response ends.
  ///
  /// With a single connection for all requests, every request waits for it.
  @Test(arguments: [
    Fault.followed(by: .json("-1")), .extraBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n-1"),
    .extraBytes("!"),
  ])
  func `what follows a response is no other requests`(fault: Fault) async throws {
    var configuration = HTTPClient.Configuration.curlew
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
    let http = HTTPClient(configuration: configuration)
    try await withFaultServer { server in
      server.handle { exchange in
        let number = Int(exchange.path.dropFirst()) ?? -1
        let response = StubResponse.json("\(number)")
        try await exchange.respond(with: number.isMultiple(of: 3) ? response.with(fault) : response)
      }
      let client = Client(baseURL: server.baseURL) {
        $0.transport = AsyncHTTPClientTransport(http)
      }
      let responses = await withTaskGroup { group in
        for number in 0..<60 {
          group.addTask { await (number, client.result(of: Request<Int>.post("/\(number)"))) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (number, response) in responses {
        let value = try? response.get()
        #expect(value == number, "\(response)")
      }
      #expect(server.requests.count == 60)
      // Each response with extra bytes closes its connection, possibly except the last.
      #expect(20...21 ~= server.connections.count)
    }
    try await http.shutdown()
  }

  @Test
  func `beginning of a response that nobody asked for closes the connection`() async throws {
    let http = HTTPClient(configuration: .curlew)
    let requested = Gate()
    try await withFaultServer { server in
      server.handle { exchange in
        try await exchange.respond(with: .json("1"))
        guard exchange.connection == 0 else { return }
        await requested.wait()
        try await exchange.write("HTTP/1.1 200 OK\r\nContent-Le")
        await exchange.closed()
      }
      let client = Client(baseURL: server.baseURL) {
        $0.transport = AsyncHTTPClientTransport(http)
      }
      _ = try await client.send(Request<Int>.get("/"))
      requested.open()
      await server.waitForClosedConnections(1)
      let value = try await client.send(Request<Int>.get("/"))
      #expect(value == 1)
      #expect(server.connections.count == 2)
    }
    try await http.shutdown()
  }
}
