import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@Suite("Servers that fall silent over HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2SilenceTests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  /// Returns a client with a time limit for the first byte, in real time, because no clock reaches a connection.
  private func client(_ origin: String, firstByte: Duration) throws -> Client {
    try .tls(
      origin, trusting: root,
      configure: {
        $0.limits.connect = nil
        $0.limits.firstByte = firstByte
      })
  }

  /// Runs a test with a server whose first connection falls silent at `/silent`.
  private func withSilentServer(
    _ test: (_ server: FrameServer, _ origin: String) async throws -> Void
  ) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path == "/silent", connection.number == 0 { connection.mute() }
      if frame.path != nil { connection.respond(frame.streamID) }
    } _: { server, origin in
      try await test(server, origin)
    }
  }

  @Test func `silent connection is replaced after one request`() async throws {
    try await withSilentServer { server, origin in
      let client = try client(origin, firstByte: .milliseconds(5_100))
      try await client.send(Request<Void>.get("/"))
      let failure = await client.result(of: Request<Void>.get("/silent")).failure
      #expect(failure?.timeoutFailure?.limit == .firstByte)
      for _ in 0..<11 {
        let text = try await client.send(Request<String>.get("/"))
        #expect(text == "fine")
      }
      #expect(server.connections == 2)
    }
  }

  @Test func `silent connection is found by a ping after a short limit`() async throws {
    try await withSilentServer { server, origin in
      let client = try client(origin, firstByte: .milliseconds(100))
      while (try? await client.send(Request<Void>.get("/"))) == nil { await Task.yield() }
      let failure = await client.result(of: Request<Void>.get("/silent")).failure
      #expect(failure?.timeoutFailure?.limit == .firstByte)
      while server.connections < 2, !Task.isCancelled {
        _ = await client.result(of: Request<Void>.get("/"))
      }
      #expect(server.pings > 0)
    }
  }

  @Test func `slow server that answers pings keeps its connection`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path == "/" { connection.respond(frame.streamID) }
    } _: { server, origin in
      let client = try client(origin, firstByte: .milliseconds(100))
      while (try? await client.send(Request<Void>.get("/"))) == nil { await Task.yield() }
      // The second PING follows when the first has been judged.
      while server.pings < 2, !Task.isCancelled {
        _ = await client.result(of: Request<Void>.get("/slow"))
      }
      while (try? await client.send(Request<Void>.get("/"))) == nil { await Task.yield() }
      #expect(server.connections == 1)
    }
  }

  /// The clock stands still, so that no time limit ends a request.
  @Test func `ping interval finds a silent connection`() async throws {
    try await withSilentServer { server, origin in
      var tls = TLSSettings()
      tls.trust.roots = .only(try root.certificates)
      let client = Client(baseURL: try BaseURL(origin)) {
        $0.transport = .asyncHTTPClient(tls: tls, pingInterval: .seconds(1))
        $0.clock = TestClock()
      }
      try await client.send(Request<Void>.get("/"))
      let text = try await client.send(Request<String>.get("/silent"))
      #expect(text == "fine")
      #expect(server.pings > 0)
      #expect(server.connections == 2)
    }
  }

  // MARK: Before SETTINGS

  @Test func `connection without settings is given up for another`() async throws {
    try await withFrameServer(try root.issue(), first: .silence) { connection, frame in
      if frame.path != nil { connection.respond(frame.streamID) }
    } _: { server, origin in
      let clock = TestClock()
      let client = try Client.tls(origin, trusting: root, configure: { $0.clock = clock })
      let first = Task { await client.result(of: Request<String>.get("/")) }
      await eventually { server.connections == 1 }
      clock.advance(by: .seconds(5))
      #expect(try await first.value.get() == "fine")
      #expect(await client.fine(of: 100) == 100)
      #expect(server.connections == 2)
    }
  }

  /// A connection may be ready just when it is given up, so that the request could be sent twice.
  @Test func `post is not sent on the other connection`() async throws {
    try await withFrameServer(try root.issue(), first: .silence) { connection, frame in
      if frame.path != nil { connection.respond(frame.streamID) }
    } _: { server, origin in
      let clock = TestClock()
      let client = try Client.tls(
        origin, trusting: root,
        configure: {
          $0.clock = clock
          ($0.limits.firstByte, $0.limits.total) = (nil, nil)
        })
      let first = await client.result(
        of: Request<String>.post("/"), advancing: clock, by: .seconds(5)
      ) { await eventually { server.connections == 1 } }
      #expect(first.failure?.timeoutFailure?.limit == .connect)
      #expect(try await client.send(Request<String>.post("/")) == "fine")
      #expect(server.connections == 2)
    }
  }

  @Test func `time limit passes if no connection gets settings`() async throws {
    try await withFrameServer(try root.issue(), first: .silence, later: .silence) { _, _ in
    } _: { server, origin in
      let clock = TestClock()
      let client = try Client.tls(origin, trusting: root, configure: { $0.clock = clock })
      let first = Task { await client.result(of: Request<String>.get("/")) }
      await eventually { server.connections == 1 }
      clock.advance(by: .seconds(5))
      await eventually { server.connections == 2 }
      clock.advance(by: .seconds(5))
      #expect(await first.value.failure?.timeoutFailure?.limit == .connect)
    }
  }

  @Test func `server that closes before settings gets three connections`() async throws {
    try await withFrameServer(try root.issue(), first: .close, later: .close) { _, _ in
    } _: { server, origin in
      let clock = TestClock()
      let client = try Client.tls(
        origin, trusting: root,
        configure: {
          $0.clock = clock
          ($0.limits.connect, $0.limits.total) = (nil, nil)
        })
      let result = await client.result(
        of: Request<String>.get("/"), advancing: clock, by: .milliseconds(10))
      #expect(result.failure?.transportFailure?.kind == .lost)
      #expect(server.connections == 3)
    }
  }
}
