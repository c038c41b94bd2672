import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Curlew

@Suite("Limits of size and time", .timeLimit(.minutes(1)))
struct LimitTests {
  @Test(
    arguments: TransportUnderTest.allCases,
    ["Content-Length: 999999999\r\n\r\n", "Connection: close\r\n\r\n"])
  func `body over the limit is cut off while it arrives`(
    transport: TransportUnderTest, rest: String
  ) async throws {
    let closed = Gate()
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\n" + rest)
      await exchange.writeUntilClosed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = 300_000 }
      let error = try await client.failure(of: Request<Data>.get("/"))
      guard case .tooLarge(let failure) = error else { throw error }
      #expect(failure.bytes == 300_000 && failure.limit == .bodySize)
      #expect(!error.isRetryable)
      await closed.wait()
    }
  }

  /// A body with an announced length over the limit is rejected with its head: this body never arrives.
  @Test(arguments: TransportUnderTest.allCases)
  func `body that is announced over the limit is refused at once`(transport: TransportUnderTest)
    async throws
  {
    let closed = Gate()
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server)
      let failure = try await client.tooLarge(of: Request<Data>.get("/"))
      #expect(failure.bytes == 64 * 1024 * 1024 && failure.limit == .bodySize)
      await closed.wait()
    }
  }

  /// Error bodies are truncated, and `HEAD` announces a body that does not arrive.
  @Test(arguments: TransportUnderTest.allCases)
  func `announced length does not matter where the body is not collected`(
    transport: TransportUnderTest
  ) async throws {
    try await withTestServer { exchange in
      let status = exchange.path == "/missing" ? 404 : 200
      try await exchange.write("HTTP/1.1 \(status) Status\r\nContent-Length: 100000000\r\n\r\n")
      if exchange.request.method != "HEAD" { await exchange.writeUntilClosed() }
    } _: { server in
      let client = try transport.client(server)
      let error = try await client.failure(of: Request<Data>.get("/missing"))
      #expect(error.status == .notFound)
      try await client.send(Request<Void>.head("/x"))
    }
  }

  /// The server never waits for its client, and several concurrent transfers keep the client busy.
  @Test(arguments: TransportUnderTest.allCases, [200, 500])
  func `little is taken after the limit`(transport: TransportUnderTest, status: Int) async throws {
    let sent = Mutex<[Int]>([])
    let (closed, piece) = (Gate(), Data(count: 1024 * 1024))
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 \(status) Status\r\nConnection: close\r\n\r\n")
      var count = 0
      while (try? await exchange.write(piece)) != nil { count += piece.count }
      let isLast = sent.withLock { sent in
        sent.append(count)
        return sent.count == 80
      }
      if isLast { closed.open() }
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = 300_000 }
      await withTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<10 { _ = await client.result(of: Request<Data>.get("/")) }
          }
        }
      }
      await closed.wait()
      // Most of these bytes are in the socket buffers.
      #expect(sent.withLock { $0.max() ?? 0 } < 32 * piece.count)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `body of exactly the limit is read`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(200, [], Data(repeating: 1, count: 300_000))
    } _: { server in
      let request = Request<Data>.get("/").limits { $0.bodySize = 300_000 }
      let value = try await transport.client(server).send(request)
      #expect(value.count == 300_000)
      let tighter = Request<Data>.get("/").limits { $0.bodySize = 299_999 }
      guard case .tooLarge = try await transport.client(server).failure(of: tighter) else {
        Issue.record("One byte too many was taken.")
        return
      }
    }
  }

  /// `URLSession` does not report when it is connected: there, the first-byte limit applies instead.
  @Test(arguments: TransportUnderTest.allCases)
  func `connection that is not made is a timeout`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    try await withTestServer { _ in
    } _: { server in
      // The TLS handshake is part of connecting, and the server never responds to the hello.
      let client = Client(baseURL: try BaseURL("https://127.0.0.1:\(server.port)")) {
        $0.transport = transport.transport
        $0.clock = clock
        $0.limits.firstByte = transport == .urlSession ? .seconds(10) : nil
        $0.limits.total = nil
      }
      let result = await client.result(
        of: Request<Data>.get("/"), advancing: clock, by: .seconds(10))
      let failure = try #require(result.failure?.timeoutFailure)
      #expect(failure.limit == (transport == .urlSession ? .firstByte : .connect))
      #expect(failure.duration == .seconds(10))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `header over the limit is refused`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      let fields = (1...20).map { ("X-\($0)", String(repeating: "a", count: 1_000)) }
      try await exchange.respond(200, fields, "x")
    } _: { server in
      let client = try transport.client(server)
      #expect(try await client.send(Request<Data>.get("/")).count == 1)
      let narrow = Request<Data>.get("/").limits { $0.headerSize = 20_000 }
      let error = try await client.failure(of: narrow)
      guard case .tooLarge(let failure) = error else { throw error }
      #expect(failure.limit == .headerSize && failure.bytes == 20_000)
      #expect("\(error)".hasSuffix("the header exceeds 20000 bytes (limits.headerSize)"))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `limit of the whole spans redirects`(transport: TransportUnderTest) async throws {
    let (arrived, clock) = (Gate(), TestClock())
    try await withTestServer { exchange in
      if exchange.path == "/start" {
        clock.advance(by: .seconds(29))
        try await exchange.respond(302, [("Location", "/slow")])
      } else {
        arrived.open()
        await exchange.closed()
      }
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits.connect = nil
        $0.limits.total = .seconds(40)
      }
      async let result = client.result(of: Request<Data>.get("/start"))
      await arrived.wait()
      clock.advance(by: .seconds(11))
      let failure = try #require(await result.failure?.timeoutFailure)
      #expect(failure.limit == .total)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `limits are settable per endpoint`(transport: TransportUnderTest) async throws {
    let (arrived, clock) = (Gate(), TestClock())
    try await withTestServer { exchange in
      arrived.open()
      await exchange.closed()
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        ($0.limits.connect, $0.limits.total) = (nil, nil)
      }
      let hurried = Request<Data>.get("/").limits { $0.firstByte = .milliseconds(5) }
      let result = await client.result(of: hurried, advancing: clock, by: .milliseconds(5)) {
        await arrived.wait()
      }
      let failure = try #require(result.failure?.timeoutFailure)
      #expect(failure.duration == .milliseconds(5))
    }
  }
}
