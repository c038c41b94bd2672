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

@Suite("Frames of HTTP/2 that servers send too early or wrong", .timeLimit(.minutes(2)))
struct HTTP2FrameTests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  /// Returns a client without time limits.
  private func client(
    _ origin: String, configure: (inout Client.Configuration) -> Void = { _ in }
  ) throws -> Client {
    try .tls(origin, trusting: root) { _ in
    } configure: {
      $0.limits = .untimed
      configure(&$0)
    }
  }

  private func expectFine(
    _ client: Client, _ request: Request<String> = .get("/"),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let text = try await client.send(request)
    #expect(text == "fine", sourceLocation: sourceLocation)
  }

  /// More than a server's flow-control window.
  private static let large = Data(count: 1_000_000)

  /// A body that never ends.
  private static var endless: RequestBody {
    .stream { AsyncStream<Data> { Data(count: 16_384) } }
  }

  // MARK: A response before the request's end

  enum Body: CaseIterable {
    case memory, sequence, endless

    var body: RequestBody {
      switch self {
      case .memory: .data(HTTP2FrameTests.large)
      case .sequence:
        .stream {
          AsyncStream<Data> { continuation in
            for _ in 0..<61 { continuation.yield(Data(count: 16_384)) }
            continuation.finish()
          }
        }
      case .endless: HTTP2FrameTests.endless
      }
    }
  }

  /// AsyncHTTPClient accepts 50 parts at a time from another event loop.
  @Test(arguments: [1, 200])
  func `a whole upload succeeds though the connection is closed`(parts: Int) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard case .data(let data) = frame.payload, data.data.readableBytes > 0 else { return }
      connection.head(frame.streamID, end: false)
      for part in 1...parts {
        let text = ByteBuffer(string: "fine")
        connection.write(
          frame.streamID, .data(.init(data: .byteBuffer(text), endStream: part == parts)))
      }
      connection.channel.eventLoop.execute { connection.channel.close(promise: nil) }
    } _: { server, origin in
      let client = try client(origin)
      for _ in 0..<20 {
        let (chunks, source) = AsyncStream<Data>.makeStream()
        source.yield(Data("hello".utf8))
        let text = try await client.send(
          Request<String>.post("/", body: .stream(once: chunks, length: 5)))
        #expect(text == String(repeating: "fine", count: parts))
      }
    }
  }

  @Test(arguments: Body.allCases)
  func `response with a reset without an error is the result`(body: Body) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path != nil else { return }
      if frame.isEnd { return connection.respond(frame.streamID) }
      connection.respond(frame.streamID)
      connection.write(frame.streamID, .rstStream(.noError))
    } _: { server, origin in
      let client = try client(origin)
      for _ in 0..<20 {
        let text = try await client.send(Request<String>.post("/", body: body.body))
        #expect(text == "fine")
      }
      try await expectFine(client)
      #expect(server.connections == 1)
    }
  }

  @Test(arguments: Body.allCases, ["302", "403", "500"])
  func `refusal ends the upload`(body: Body, status: String) async throws {
    let reset = Gate()
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path != nil else { return }
      if frame.isEnd { return connection.respond(frame.streamID) }
      connection.head(frame.streamID, status)
      reset.open()
    } _: { server, origin in
      let client = try client(origin)
      for _ in 0..<5 {
        let failure = try await client.statusFailure(of: Request<String>.post("/", body: body.body))
        #expect("\(failure.response.status.code)" == status)
      }
      try await expectFine(client)
      #expect(server.connections == 1)
      await eventually { server.resets.count == 5 }
    }
  }

  /// The server reads the body after its response.
  @Test func `success lets the upload go on`() async throws {
    let count = Mutex(0)
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path != nil { connection.respond(frame.streamID) }
      guard case .data(let data) = frame.payload else { return }
      count.withLock { $0 += data.data.readableBytes }
      for stream in [.rootStream, frame.streamID] where data.data.readableBytes > 0 {
        let size = data.data.readableBytes
        if stream != .rootStream, frame.isEnd { continue }
        connection.write(stream, .windowUpdate(windowSizeIncrement: size))
      }
    } _: { server, origin in
      let client = try client(origin)
      let text = try await client.send(Request<String>.post("/", body: Body.sequence.body))
      #expect(text == "fine")
      await eventually { count.withLock { $0 } == 61 * 16_384 }
      #expect(count.withLock { $0 } == 61 * 16_384)
      #expect(server.resets.isEmpty)
    }
  }

  // MARK: Response heads

  @Test(arguments: ["099", "000", "-1", "+200", "20", "2000", "101", "abc", " 200", nil])
  func `status that is not three digits is an error`(status: String?) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path == "/x" {
        connection.head(frame.streamID, status)
      } else if frame.path != nil {
        connection.respond(frame.streamID)
      }
    } _: { _, origin in
      let client = try client(origin)
      try await expectFine(client)
      let failure = try await client.transportFailure(of: .get("/x"))
      #expect(failure.kind == .protocolError)
      // NIO itself rejects a head without a status.
      if let status, status.first != " " {
        #expect(failure.reason == "the response's status is \(status)")
      }
      try await expectFine(client)
    }
  }

  @Test(arguments: [599, 600, 749, 999])
  func `status without a class is a status`(status: Int) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path == "/x" {
        connection.head(frame.streamID, "\(status)")
      } else if frame.path != nil {
        connection.respond(frame.streamID)
      }
    } _: { _, origin in
      let client = try client(origin)
      let failure = try await client.statusFailure(of: Request<String>.get("/x"))
      #expect(failure.response.status.code == status)
      try await expectFine(client)
    }
  }

  /// Trailer fields (RFC 9113 section 8.1), with more bytes than the limit of the header, or less.
  @Test(arguments: [10, 12_000])
  func `trailers follow the body`(size: Int) async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path != nil else { return }
      connection.head(frame.streamID, end: false)
      connection.write(frame.streamID, .data(.init(data: .byteBuffer(.init(string: "abcd")))))
      connection.trailers(frame.streamID, [("x-sum", String(repeating: "1", count: size))])
    } _: { _, origin in
      let client = try client(origin)
      let request = Request<String>.get("/x").limits { $0.headerSize = 10_000 }
      if size > 10_000 {
        #expect(try await client.tooLarge(of: request).limit == .headerSize)
      } else {
        let response = try await client.response(for: request)
        #expect(response.value == "abcd")
        #expect(response.trailers == [HTTPField.Name("x-sum")!: "1111111111"])
      }
    }
  }

  @Test func `interim heads are skipped`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      for status in ["100", "102", "103"] { connection.head(frame.streamID, status, end: false) }
      connection.respond(frame.streamID)
    } _: { _, origin in
      try await expectFine(client(origin))
    }
  }

  @Test func `header list that is too long is too large`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path == "/x" else { return connection.respond(frame.streamID) }
      connection.longHead(frame.streamID, size: 40_000)
    } _: { _, origin in
      let client = try client(origin)
      let error = try await client.failure(of: Request<String>.get("/x"))
      #expect(error.tooLarge?.limit == .headerSize)
      #expect(
        "\(error)".hasSuffix("the header exceeds the limit of AsyncHTTPClient over HTTP/2: 16 KiB"))
      try await expectFine(client)
    }
  }

  @Test func `flood of empty data is an error at once`() async throws {
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path == "/x" else { return connection.respond(frame.streamID) }
      connection.head(frame.streamID, end: false)
      for _ in 0..<1_000 {
        connection.write(frame.streamID, .data(.init(data: .byteBuffer(ByteBuffer()))))
      }
    } _: { _, origin in
      let client = try client(origin)
      let failure = try await client.transportFailure(of: .get("/x"))
      #expect(failure.kind == .protocolError)
      try await expectFine(client)
    }
  }

  // MARK: Unprocessed requests

  /// Sends requests to a server whose connections each process `perConnection` requests and then send GOAWAY.
  private func sendAll(
    _ count: Int, perConnection: Int, closes: Bool
  ) async throws -> (lost: Int, processed: Int, connections: Int) {
    // For each connection, its accepted streams and the number of responses.
    let accepted = Mutex([Int: (streams: Set<HTTP2StreamID>, done: Int)]())
    return try await withoutReturn { give in
      try await withFrameServer(try root.issue()) { connection, frame in
        let (isTaken, isLast) = accepted.withLock { accepted in
          var (streams, done) = accepted[connection.number] ?? ([], 0)
          let isNew = frame.path != nil && streams.count < perConnection
          if isNew { streams.insert(frame.streamID) }
          if frame.isEnd, streams.contains(frame.streamID) { done += 1 }
          accepted[connection.number] = (streams, done)
          return (streams.contains(frame.streamID), isNew && streams.count == perConnection)
        }
        if isLast { connection.goAway(last: frame.streamID) }
        guard isTaken, frame.isEnd else { return }
        connection.respond(frame.streamID)
        let isDone = accepted.withLock { $0[connection.number]?.done == perConnection }
        if closes, isDone { connection.channel.close(promise: nil) }
      } _: { server, origin in
        let client = try client(origin)
        let lost = await withTaskGroup(of: Bool.self) { group in
          for number in 0..<count {
            group.addTask {
              let request =
                number.isMultiple(of: 2)
                ? Request<String>.get("/\(number)")
                : Request<String>.post("/\(number)", body: .data(Data("hi".utf8)))
              do { return try await client.send(request) != "fine" } catch {
                return true
              }
            }
          }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        give((lost, accepted.withLock { $0.values.map(\.done).reduce(0, +) }, server.connections))
      }
    }
  }

  /// Returns the value that a body passes to `give`.
  private func withoutReturn<Value: Sendable>(
    _ body: (_ give: @Sendable (Value) -> Void) async throws -> Void
  ) async throws -> Value {
    let given = Mutex<Value?>(nil)
    try await body { value in given.withLock { $0 = value } }
    return try #require(given.withLock { $0 })
  }

  @Test(arguments: [false, true])
  func `requests beyond a goodbye are sent again once`(closes: Bool) async throws {
    let (lost, processed, connections) = try await sendAll(200, perConnection: 20, closes: closes)
    #expect(lost == 0)
    #expect(processed == 200)
    #expect(connections >= 10)
  }

  /// The first connection receives only a flow-control window of the body.
  @Test(arguments: [Body.memory, .sequence], [false, true])
  func `upload that waits for a window is sent again`(body: Body, isPinned: Bool) async throws {
    let certificate = try root.issue()
    try await withFrameServer(certificate) { connection, frame in
      if connection.number > 0 {
        if frame.path != nil {
          connection.respond(frame.streamID)
          connection.write(frame.streamID, .rstStream(.noError))
        }
      } else if case .data = frame.payload {
        connection.goAway(last: 0)
      }
    } _: { server, origin in
      let client = try Client.tls(origin, trusting: root) {
        if isPinned { $0.trust.pins = [try certificate.pin] }
      } configure: {
        $0.clock = TestClock()
      }
      let text = try await client.send(Request<String>.post("/", body: body.body))
      #expect(text == "fine")
      #expect(server.connections == 2)
    }
  }

  @Test func `refused stream is sent again five times`() async throws {
    let refusals = Mutex(0)
    try await withFrameServer(try root.issue()) { connection, frame in
      guard let path = frame.path else { return }
      let most = path == "/often" ? 5 : .max
      let isRefused = refusals.withLock { refusals in
        refusals += 1
        return refusals <= most
      }
      if isRefused {
        connection.write(frame.streamID, .rstStream(.refusedStream))
      } else {
        connection.respond(frame.streamID)
      }
    } _: { server, origin in
      let client = try client(origin)
      try await expectFine(client, .post("/often"))
      #expect(refusals.withLock { $0 } == 6)
      refusals.withLock { $0 = 0 }
      let failure = try await client.transportFailure(of: .post("/always"))
      #expect(failure.kind == .lost)
      #expect("\(failure)".contains("even after a retry"))
      #expect(refusals.withLock { $0 } == 6)
      #expect(server.connections == 1)
    }
  }

  @Test func `cancelled stream is not sent again`() async throws {
    let requests = Mutex(0)
    try await withFrameServer(try root.issue()) { connection, frame in
      guard frame.path != nil else { return }
      requests.withLock { $0 += 1 }
      connection.write(frame.streamID, .rstStream(.cancel))
    } _: { _, origin in
      let failure = try await client(origin).transportFailure(of: .get("/"))
      #expect(failure.kind == .lost)
      #expect(requests.withLock { $0 } == 1)
    }
  }

  @Test func `body that can be read once is not sent again`() async throws {
    let requests = Mutex(0)
    try await withFrameServer(try root.issue()) { connection, frame in
      if frame.path != nil { requests.withLock { $0 += 1 } }
      guard case .data = frame.payload else { return }
      connection.write(frame.streamID, .rstStream(.refusedStream))
    } _: { _, origin in
      let (stream, continuation) = AsyncStream<Data>.makeStream()
      continuation.yield(Data(count: 10))
      let body = RequestBody.stream(once: stream)
      let failure = try await client(origin).transportFailure(of: .post("/", body: body))
      #expect(failure.kind == .lost)
      #expect(requests.withLock { $0 } == 1)
    }
  }
}
