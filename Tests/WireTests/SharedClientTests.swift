import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Each test runs in its own process, because it shuts down the process-wide client.
@Suite("The process-wide AsyncHTTPClient", .timeLimit(.minutes(1)))
struct SharedClientTests {
  @Test
  func `request after two shutdowns works`() async {
    await #expect(processExitsWith: .success) {
      try await withTestServer {
        try await $0.respond(200, [], "fine")
      } _: { server in
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.transport = .asyncHTTPClient
        }
        for _ in 0..<2 {
          let text = try await client.send(Request<String>.get("/"))
          try #require(text == "fine")
          try await AsyncHTTPClientTransport.shutdownShared()
          try await AsyncHTTPClientTransport.shutdownShared()
        }
        try #require(server.connections.count == 2)
      }
    }
  }

  @Test
  func `shutdown waits until the connections are closed`() async {
    await #expect(processExitsWith: .success) {
      let closed = Gate()
      try await withTestServer { exchange in
        try await exchange.respond(200, [], "fine")
        Task {
          await exchange.closed()
          closed.open()
        }
      } _: { server in
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.transport = .asyncHTTPClient
        }
        try await client.send(Request<Void>.get("/"))
        async let one: Void = AsyncHTTPClientTransport.shutdownShared()
        async let other: Void = AsyncHTTPClientTransport.shutdownShared()
        _ = try await (one, other)
        await closed.wait()
      }
    }
  }

  @Test
  func `shutdown ends requests in flight`() async {
    await #expect(processExitsWith: .success) {
      let arrived = Gate()
      try await withTestServer { exchange in
        arrived.open()
        await exchange.closed()
      } _: { server in
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.transport = .asyncHTTPClient
        }
        async let result = client.result(of: Request<Void>.get("/"))
        await arrived.wait()
        try await AsyncHTTPClientTransport.shutdownShared()
        guard case .failure(.transport(let failure)) = await result else { exit(1) }
        try #require(failure.reason == "the HTTP client was shut down")
      }
    }
  }

  @Test
  func `process ends without shutdown`() async {
    await #expect(processExitsWith: .success) {
      try await withTestServer {
        try await $0.respond(200, [], "fine")
      } _: { server in
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.transport = .asyncHTTPClient
        }
        try await client.send(Request<Void>.get("/"))
        exit(0)
      }
    }
  }

  @Test
  func `shutdown without any request does nothing`() async {
    await #expect(processExitsWith: .success) {
      try await AsyncHTTPClientTransport.shutdownShared()
    }
  }
}
