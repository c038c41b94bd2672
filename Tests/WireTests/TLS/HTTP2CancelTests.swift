import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@Suite("Cancelled requests over HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2CancelTests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  /// Returns a client whose clock stands still, so that no time limit ends a request.
  private func client(_ origin: String) throws -> Client {
    try .tls(origin, trusting: root, configure: { $0.clock = TestClock() })
  }

  /// The server accepts a hundred streams at a time.
  @Test func `request cancelled before its stream exists costs none`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path != nil { connection.respond(frame.streamID) }
    } _: { server, origin in
      let client = try client(origin)
      try await client.send(Request<Void>.get("/"))
      for number in 0..<2_000 {
        let task = Task { await client.result(of: Request<String>.get("/x")) }
        for _ in 0..<number % 20 { await Task.yield() }
        task.cancel()
        _ = await task.value
      }
      let fine = await client.fine(of: 100)
      #expect(fine == 100)
      #expect(server.connections == 1)
    }
  }

  /// NIO rejects the field (RFC 9113 section 8.2.2).
  @Test func `request that is not valid over HTTP2 costs no stream`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path != nil { connection.respond(frame.streamID) }
    } _: { server, origin in
      let client = try client(origin)
      try await client.send(Request<Void>.get("/"))
      for _ in 0..<200 {
        let request = Request<Void>.get("/", headerFields: [.te: "gzip"])
        #expect(await client.result(of: request).failure?.transportFailure != nil)
      }
      #expect(await client.fine(of: 100) == 100)
      #expect(server.connections == 1)
    }
  }

  /// NIO remembers 31 streams that were reset.
  @Test func `response to a cancelled request harms no other request`() async throws {
    let held = Mutex((connection: FrameServer.Connection?.none, streams: [HTTP2StreamID]()))
    let innocent = Mutex(HTTP2StreamID.rootStream)
    try await withFrameServer(try root.issue()) { connection, frame in
      switch frame.path {
      case "/cancelled":
        held.withLock { $0 = (connection, $0.streams + [frame.streamID]) }
      case "/innocent": innocent.withLock { $0 = frame.streamID }
      case nil: break
      default: connection.respond(frame.streamID)
      }
    } _: { server, origin in
      let client = try client(origin)
      try await client.send(Request<Void>.get("/"))
      let other = Task { await client.result(of: Request<String>.post("/innocent")) }
      await eventually { innocent.withLock { $0 } != .rootStream }
      let cancelled = (0..<80).map { _ in
        Task { await client.result(of: Request<String>.get("/cancelled")) }
      }
      await eventually { held.withLock { $0.streams.count } == 80 }
      for task in cancelled { task.cancel() }
      await eventually { server.resets.count == 80 }
      let (connection, streams) = held.withLock { $0 }
      try await connection?.channel.eventLoop.submit {
        for stream in streams { connection?.crossingHead(stream) }
        connection?.respond(innocent.withLock { $0 })
      }.get()
      let text = try await other.value.get()
      #expect(text == "fine")
      #expect(await client.fine(of: 100) == 100)
      #expect(server.connections == 1)
    }
  }

  /// The head of the cancelled request waits in NIO, because the connection accepts no bytes.
  @Test func `cancelled request is not sent after a long upload`() async throws {
    let paths = Mutex<[String]>([])
    let held = Mutex(FrameServer.Connection?.none)
    try await withFrameServer(try root.issue()) { connection, frame in
      guard let path = frame.path else { return }
      paths.withLock { $0.append(path) }
      guard path == "/upload" else { return connection.respond(frame.streamID) }
      connection.write(frame.streamID, .windowUpdate(windowSizeIncrement: 1 << 30))
      held.withLock { held in
        guard held == nil else { return }
        connection.write(.rootStream, .windowUpdate(windowSizeIncrement: 1 << 30))
        _ = connection.channel.setOption(.autoRead, value: false)
        held = connection
      }
    } _: { server, origin in
      let client = try client(origin)
      let sent = Mutex(0)
      let body = RequestBody.stream {
        AsyncStream<Data> {
          sent.withLock { $0 += 1 }
          return Data(count: 65_536)
        }
      }
      let uploads = (0..<8).map { _ in
        Task { await client.result(of: Request<String>.post("/upload", body: body)) }
      }
      // Until the sockets are full; a stream alone does not fill the connection.
      var last = -1
      while last != sent.withLock({ $0 }) || last < 10 {
        last = sent.withLock { $0 }
        try await Task.sleep(for: .milliseconds(200))
      }
      for _ in 0..<150 {
        let task = Task { await client.result(of: Request<String>.get("/cancelled")) }
        // Until the head waits in NIO, usually.
        try await Task.sleep(for: .milliseconds(5))
        task.cancel()
        _ = await task.value
      }
      for upload in uploads { upload.cancel() }
      for upload in uploads { _ = await upload.value }
      _ = held.withLock { $0 }?.channel.setOption(.autoRead, value: true)
      #expect(await client.fine(of: 100) == 100)
      let cancelled = paths.withLock { $0.filter { $0 == "/cancelled" } }
      #expect(cancelled.isEmpty)
      #expect(server.connections == 1)
    }
  }
}

extension Client {
  /// Sends requests at the same time; returns the number of requests with the response `fine`.
  func fine(of count: Int) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<count {
        group.addTask { (try? await self.send(Request<String>.get("/"))) == "fine" }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
  }
}
