import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@Suite("Request bodies are read while they are sent", .timeLimit(.minutes(1)))
struct UploadTests {
  private let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

  private func withFile<Value>(
    _ data: Data, _ body: (URL) async throws -> Value
  ) async throws -> Value {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file)
  }

  private func chunks(of data: Data, _ size: Int = 10_000) -> AsyncStream<Data> {
    AsyncStream { continuation in
      var rest = data[...]
      while !rest.isEmpty {
        continuation.yield(Data(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      continuation.finish()
    }
  }

  /// Sends a body to a server that accepts it; returns the received request.
  private func received(
    _ body: RequestBody, by transport: TransportUnderTest
  ) async throws -> WireRequest {
    try await withTestServer { server in
      try await transport.client(server).send(.post("/x", body: body))
      return try #require(server.requests.first)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [0, 1, 1_000_000])
  func `a file is sent with its length`(transport: TransportUnderTest, size: Int) async throws {
    let data = bytes.prefix(size)
    let request = try await withFile(data) { file in
      try await received(.file(file, contentType: "image/png"), by: transport)
    }
    #expect(request.body == data)
    #expect(request["Content-Length"] == "\(size)")
    #expect(request["Content-Type"] == "image/png")
  }

  private struct Broken: Error {}

  @Test(arguments: TransportUnderTest.allCases)
  func `source that fails is no lost connection`(transport: TransportUnderTest) async throws {
    let count = Mutex(0)
    let body = RequestBody.stream {
      count.withLock { $0 += 1 }
      return AsyncThrowingStream<Data, any Error> { continuation in
        continuation.yield(Data(count: 1000))
        continuation.finish(throwing: Broken())
      }
    }
    try await withTestServer { server in
      let client = try transport.client(server) { $0.middleware = [.retrying()] }
      let error = try await client.failure(of: Request<Void>.put("/x", body: body))
      guard case .encoding(let failure) = error else { throw error }
      #expect(failure.reason == "the body's source failed: Broken()")
      #expect(!error.isRetryable)
      #expect(count.withLock { $0 } == 1)
    }
  }

  /// Ended the process with `URLSession` on Linux, which continued a paused transfer that had failed.
  @Test(arguments: TransportUnderTest.allCases)
  func `a reset during an upload is a lost connection`(transport: TransportUnderTest) async throws {
    let count = Mutex(0)
    try await withFile(bytes) { file in
      try await withConnections { channel in
        let number = count.withLock { count in
          count += 1
          return count
        }
        let limit = [1, 40_000, 150_000, 400_000][number % 4]
        try? channel.pipeline.syncOperations.addHandler(ResettingAfter(limit))
      } _: { origin in
        let client = Client(baseURL: try BaseURL(origin.replacing("https:", with: "http:"))) {
          $0.transport = transport.freshTransport
        }
        let body = RequestBody.stream { chunks(of: bytes) }
        for number in 1...60 {
          let request = Request<Void>.post("/x", body: number % 2 == 0 ? .file(file) : body)
          #expect(try await client.transportFailure(of: request).kind == .lost)
        }
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a file that changes while it is sent is an error`(
    transport: TransportUnderTest
  ) async throws {
    try await withFile(bytes) { file in
      let shrinking = FunctionTransport { request in
        try Data(count: 10).write(to: file)
        return try await transport.transport.send(request)
      }
      try await withTestServer { server in
        let client = Client(baseURL: server.baseURL) { $0.transport = shrinking }
        let request = Request<Void>.post("/x", body: .file(file))
        let error = try await client.failure(of: request)
        #expect(error.fileFailure?.kind == .changed)
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a sequence is sent`(transport: TransportUnderTest) async throws {
    let (known, unknown) = (
      RequestBody.stream(length: 1_000_000) { [bytes] in chunks(of: bytes) },
      RequestBody.stream { [bytes] in chunks(of: bytes) }
    )
    #expect(try await received(known, by: transport).body == bytes)
    #expect(try await received(known, by: transport)["Content-Length"] == "1000000")
    #expect(try await received(unknown, by: transport).body == bytes)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `progress goes to the end`(transport: TransportUnderTest) async throws {
    let seen = Mutex<[TransferProgress]>([])
    for kind in 0..<3 {
      try await withFile(bytes) { file in
        let body: RequestBody =
          switch kind {
          case 0: .file(file)
          case 1: .stream(length: 1_000_000) { [bytes] in chunks(of: bytes) }
          default: .data(bytes)
          }
        let request = try await received(
          body.onProgress { p in seen.withLock { $0.append(p) } }, by: transport)
        #expect(request.body == bytes)
      }
      let progress = seen.withLock { seen in
        defer { seen = [] }
        return seen
      }
      #expect(progress.last?.completed == 1_000_000)
      #expect(progress.last?.fraction == 1)
      #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
      #expect(progress.allSatisfy { $0.total == 1_000_000 })
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `retries and redirects send it again`(transport: TransportUnderTest) async throws {
    let number = Atomic<Int>(0)
    try await withTestServer { exchange in
      switch number.add(1, ordering: .relaxed).oldValue {
      case 0: try await exchange.respond(503)
      case 1: try await exchange.respond(307, [("Location", "/there")])
      default: try await exchange.respond()
      }
    } _: { server in
      let client = try transport.client(server) {
        var policy = RetryPolicy()
        policy.random = { 0 }
        $0.middleware = [.retrying(policy)]
      }
      try await withFile(bytes) { file in
        try await client.send(Request<Void>.put("/x", body: .file(file)))
      }
      #expect(server.requests.map(\.path) == ["/x", "/x", "/there"])
      #expect(server.requests.allSatisfy { $0.body == bytes })
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `what can be read once is not sent again`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(exchange.path == "/x" ? 503 : 307, [("Location", "/there")])
    } _: { server in
      let client = try transport.client(server) { $0.middleware = [.retrying()] }
      func send(_ path: Path) async -> Client.Error? {
        let body = RequestBody.stream(once: chunks(of: bytes))
        let result = await client.result(of: Request<Void>.put(path, body: body))
        guard case .failure(let error) = result else { return nil }
        return error
      }
      #expect(await send("/x")?.status == .serviceUnavailable)
      #expect(server.requests.count == 1)
      guard case .invalidRequest(let failure) = await send("/y") else {
        Issue.record("It was sent again")
        return
      }
      #expect(failure.reason.contains("can be read only once"))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `errors of the source are told`(transport: TransportUnderTest) async throws {
    try await withTestServer { server in
      let client = try transport.client(server)
      func error(_ body: RequestBody) async -> Client.Error? {
        guard
          case .failure(let error) = await client.result(of: Request<Void>.post("/x", body: body))
        else { return nil }
        return error
      }
      let missing = URL(filePath: "/no/such/file")
      guard case .file(let failure) = await error(.file(missing)) else {
        Issue.record("A missing file")
        return
      }
      #expect(failure.kind == .notFound && failure.path == missing.path)
      guard case .file = await error(.file(URL(filePath: "/tmp"))) else {
        Issue.record("A folder")
        return
      }
      #expect(server.requests.isEmpty)
      for (length, word) in [(999_999, "longer"), (1_000_001, "shorter")] {
        let body = RequestBody.stream(length: Int64(length)) { [bytes] in chunks(of: bytes) }
        guard case .invalidRequest(let failure) = await error(body) else {
          Issue.record("A wrong length: \(length)")
          continue
        }
        #expect(failure.reason.contains(word))
      }
    }
  }

  /// Accepts connections and reads nothing.
  private final class Deaf: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    func channelActive(context: ChannelHandlerContext) {
      context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
    }
  }

  @Test func `a slow server slows the source`() async throws {
    let pulled = Atomic<Int>(0)
    let chunk = Data(repeating: 7, count: 64 << 10)
    let deaf: @Sendable (any Channel) throws -> Void = {
      try $0.pipeline.syncOperations.addHandler(Deaf(), position: .first)
    }
    try await withFaultServer(prepare: deaf) { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let body = RequestBody.stream {
        AsyncStream<Data> {
          pulled.add(chunk.count, ordering: .relaxed)
          return chunk
        }
      }
      let task = Task { await client.result(of: Request<Void>.post("/x", body: body)) }
      #expect(try await whenStalled(pulled) < 24 << 20)
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
    }
  }

}

/// Resets a connection after a number of bytes.
private final class ResettingAfter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var rest: Int

  init(_ count: Int) { rest = count }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    rest -= unwrapInboundIn(data).readableBytes
    guard rest <= 0 else { return }
    // With a linger time of 0, closing a connection resets it.
    let channel = context.channel as? any SocketOptionProvider
    _ = channel?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    context.close(promise: nil)
  }
}

/// A transport made from a function.
private struct FunctionTransport: Transport {
  let function: @Sendable (OutgoingRequest) async throws -> IncomingResponse

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    try await function(request)
  }
}
