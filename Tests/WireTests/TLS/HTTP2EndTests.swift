import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import NIOCore
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@Suite("Retired connections over HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2EndTests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  @Test func `idle connection is closed after a goodbye`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path != nil else { return }
      connection.respond(frame.streamID)
      connection.goAway(last: frame.streamID)
    } _: { server, origin in
      let client = try Client.tls(origin, trusting: root, configure: { $0.clock = TestClock() })
      for _ in 0..<100 {
        let text = try await client.send(Request<String>.get("/"))
        #expect(text == "fine")
      }
      await eventually { server.openConnections == 0 }
      #expect(server.openConnections == 0)
      #expect(server.connections >= 100)
    }
  }

  @Test func `request in flight keeps its connection after a goodbye`() async throws {
    let held = Mutex(FrameServer.Connection?.none)
    try await withFrameServer(try root.issue()) { connection, frame in
      guard let path = frame.path else { return }
      guard path != "/held" else { return held.withLock { $0 = connection } }
      connection.respond(frame.streamID)
      connection.goAway(last: frame.streamID)
    } _: { server, origin in
      let client = try Client.tls(origin, trusting: root, configure: { $0.clock = TestClock() })
      let first = Task { await client.result(of: Request<String>.get("/held")) }
      await eventually { held.withLock { $0 } != nil }
      for _ in 0..<3 {
        let text = try await client.send(Request<String>.get("/"))
        #expect(text == "fine")
      }
      await eventually { server.openConnections == 1 }
      let connection = held.withLock { $0 }
      try await connection?.channel.eventLoop.submit { connection?.respond(1) }.get()
      #expect(try await first.value.get() == "fine")
      await eventually { server.openConnections == 0 }
      #expect(server.openConnections == 0)
    }
  }

  /// After 64 resets, the client retires the connection itself.
  @Test func `idle connection is closed after many resets`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path != nil { connection.write(frame.streamID, .rstStream(.cancel)) }
    } _: { server, origin in
      let client = try Client.tls(origin, trusting: root, configure: { $0.clock = TestClock() })
      for _ in 0..<64 {
        let failure = try await client.transportFailure(of: .get("/"))
        #expect(failure.kind == .lost)
      }
      await eventually { server.openConnections == 0 }
      #expect(server.openConnections == 0)
      #expect(server.connections == 1)
    }
  }
}
