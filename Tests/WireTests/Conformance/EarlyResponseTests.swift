import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite("A response before the end of its request's body", .timeLimit(.minutes(2)))
struct EarlyResponseTests {
  private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"

  private func client(
    _ origin: String, clock: TestClock = TestClock()
  ) throws -> Client {
    Client(baseURL: try BaseURL(origin)) {
      $0.transport = TransportUnderTest.asyncHTTPClient.transport
      $0.clock = clock
      $0.limits.connect = nil
      $0.limits.total = nil
    }
  }

  private func body(_ count: Int) -> RequestBody {
    .stream {
      AsyncStream<Data> { continuation in
        for _ in 0..<count { continuation.yield(Data(repeating: 97, count: 16_384)) }
        continuation.finish()
      }
    }
  }

  @Test func `success lets the upload go on`() async throws {
    try await withEarlyServer(Self.fine, then: .reads) { server, origin in
      let client = try client(origin)
      for _ in 0..<70 {
        let text = try await client.send(Request<String>.post("/", body: body(8)))
        #expect(text == "fine")
      }
      // The last body may still be arriving.
      await eventually { server.bodies.count == 70 }
      #expect(server.bodies.count == 70)
      #expect(server.bodies.allSatisfy { $0 > 8 * 16_384 })
      #expect(server.connections == 1)
    }
  }

  /// The next response would continue them.
  @Test func `bytes after the upload end the connection`() async throws {
    let late = "HTTP/1.1 404 Not Found\r\nX-Next: "
    try await withEarlyServer(Self.fine, then: .sends(late)) { server, origin in
      let client = try client(origin)
      for count in 1...4 {
        let (chunks, source) = AsyncStream<Data>.makeStream()
        async let text = client.send(Request<String>.post("/", body: .stream(once: chunks)))
        source.yield(Data("hello".utf8))
        await eventually { server.responses == count }
        try await TransportUnderTest.asyncHTTPClient.turn()
        source.finish()
        #expect(try await text == "fine")
        await eventually { server.sent == count }
        for _ in 0..<200 where server.closed < count {
          try await TransportUnderTest.asyncHTTPClient.turn()
        }
      }
      #expect(server.connections == 4)
    }
  }

  @Test func `upload that is not taken fails when it is idle`() async throws {
    let clock = TestClock()
    try await withEarlyServer(Self.fine, then: .stopsReading) { server, origin in
      let client = try client(origin, clock: clock)
      let result = await client.result(
        of: Request<String>.post("/", body: body(2_000)), advancing: clock, by: .seconds(10))
      let failure = try #require(result.failure?.timeoutFailure)
      #expect(failure.limit == .idle)
      #expect("\(Client.Error.timeout(failure))".contains("upload"))
      await server.seesItsEnd()
    }
  }

  @Test func `upload that is cut fails`() async throws {
    try await withEarlyServer(Self.fine, then: .closes) { server, origin in
      let failure = try await client(origin).transportFailure(
        of: Request<String>.post("/", body: body(2_000)))
      #expect(failure.kind == .lost)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a refusal within the body is the response`(transport: TransportUnderTest) async throws {
    let refusal = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
    try await withEarlyServer(refusal, then: .stopsReading) { _, origin in
      let client = Client(baseURL: try BaseURL(origin)) { $0.transport = transport.transport }
      let failure = try await client.statusFailure(of: Request<Void>.put("/", body: body(1)))
      #expect(failure.response.status.code == 413)
    }
  }

  /// A body of known length is complete without an end marker.
  @Test func `a whole upload succeeds though the connection is closed`() async throws {
    try await withEarlyServer(Self.fine, then: .takes(10)) { server, origin in
      let (chunks, source) = AsyncStream<Data>.makeStream()
      source.yield(Data("hello".utf8))
      source.yield(Data("there".utf8))
      let text = try await client(origin).send(
        Request<String>.post("/", body: .stream(once: chunks, length: 10)))
      #expect(text == "fine")
      await server.seesItsEnd()
    }
  }

  @Test(arguments: ["302 Found", "403 Forbidden", "500 No"])
  func `refusal stops the upload`(status: String) async throws {
    try await withEarlyServer(
      "HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nno", then: .stopsReading
    ) { server, origin in
      let failure = try await client(origin).statusFailure(
        of: Request<String>.post("/", body: body(2_000)))
      #expect("\(failure.response.status.code)" == status.prefix(3))
      await server.seesItsEnd()
    }
  }

  /// The body may be partly sent when the response and the connection's end arrive.
  @Test(arguments: ["302 Found", "403 Forbidden"], [0, 2])
  func `refusal is the result though the connection is closed`(status: String, length: Int)
    async throws
  {
    try await withEarlyServer(
      "HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\r\n\("no".prefix(length))",
      then: .closes
    ) { server, origin in
      let client = try client(origin)
      var random = SeededGenerator(seed: 28)
      for _ in 0..<Fuzz.size(100, full: 2_000) {
        let yields = (0..<4).map { _ in random.pick(0...20) }
        let size = random.pick([1, 1_000, 100_000])
        let body = RequestBody.stream {
          AsyncStream<Data> { continuation in
            Task {
              for count in yields {
                for _ in 0..<count { await Task.yield() }
                continuation.yield(Data(repeating: 97, count: size))
              }
              continuation.finish()
            }
          }
        }
        let error = try await client.failure(of: Request<String>.post("/", body: body))
        switch error {
        case .status(let failure): #expect("\(failure.response.status.code)" == status.prefix(3))
        // The kernel may drop the response when the client continues sending.
        case .transport(let failure): #expect(failure.kind == .lost)
        default: throw error
        }
      }
    }
  }

  // MARK: Cancellation while the server does not read

  private func withFile(_ body: (URL) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(count: 30_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file)
  }

  /// Whether this process has a file open.
  private func isOpen(_ file: URL) throws -> Bool {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
        == file.resolvingSymlinksInPath().path()
    }
  }

  #if os(Linux)
    @Test(arguments: [false, true])
    func `file is closed`(isCancelled: Bool) async throws {
      let (clock, ended) = (TestClock(), Gate())
      try await withEarlyServer("", then: .stopsReading) { server, origin in
        try await withFile { file in
          let client = try client(origin, clock: clock)
          let request = Task {
            defer { ended.open() }
            return await client.result(of: Request<String>.post("/", body: .file(file)))
          }
          await eventually { (try? isOpen(file)) == true || ended.isOpen }
          if isCancelled {
            request.cancel()
          } else {
            await clock.advance(by: .seconds(10), until: ended)
          }
          let result = await request.value
          #expect(isCancelled || result.failure?.timeoutFailure?.limit == .idle, "\(result)")
          await eventually { (try? isOpen(file)) == false }
          #expect(try !isOpen(file))
          await server.seesItsEnd()
        }
      }
    }
  #endif

  @Test(arguments: [false, true])
  func `sequence is released`(isCancelled: Bool) async throws {
    let (clock, ended, begun, released) = (TestClock(), Gate(), Gate(), Gate())
    try await withEarlyServer("", then: .stopsReading) { _, origin in
      let body = RequestBody.stream {
        begun.open()
        return AsyncStream<Data> { continuation in
          for _ in 0..<2_000 { continuation.yield(Data(count: 16_384)) }
          continuation.onTermination = { _ in released.open() }
        }
      }
      let client = try client(origin, clock: clock)
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Request<String>.post("/", body: body))
      }
      await begun.wait()
      if isCancelled {
        request.cancel()
      } else {
        await clock.advance(by: .seconds(10), until: ended)
      }
      let result = await request.value
      #expect(isCancelled || result.failure?.timeoutFailure?.limit == .idle, "\(result)")
      await released.wait()
    }
  }
}
