import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct GzipTests {
  private let stub = StubTransport()

  private func sent(
    _ body: RequestBody, _ fields: HTTPFields = [:], _ middleware: StandardMiddleware = .gzip()
  ) async throws -> OutgoingRequest {
    stub.stub(.post, "/x", with: .status(.ok))
    let client = Client.stubbed(by: stub) { $0.middleware = [middleware] }
    try await client.send(
      Request<Void>(.post, "/x", headerFields: fields, body: body, decoding: .discarded))
    return try #require(stub.requests.last)
  }

  /// Decodes gzip with an independent program.
  private func decoded(_ data: Data, _ command: [String]) async throws -> Data {
    let file = try TemporaryFile(data)
    let (end, result) = try await Process.run(
      command, input: FileHandle(forReadingFrom: file.url))
    try #require(end == .success)
    return result
  }

  private static func random(_ count: Int, _ values: ClosedRange<UInt8>) -> Data {
    var random = SeededGenerator(seed: Fuzz.seed())
    return Data((0..<count).map { _ in UInt8.random(in: values, using: &random) })
  }

  private static let python = [
    "python3", "-c",
    "import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))",
  ]

  @Test(
    arguments: [["gunzip", "-c"], python],
    [Data(repeating: 65, count: 1_024), random(300_000, 0...9), random(2_000_000, 60...62)])
  func `other programs read it`(command: [String], data: Data) async throws {
    let inMemory = try await sent(.data(data))
    #expect(inMemory.head.headerFields[.contentEncoding] == "gzip")
    let body = try #require(inMemory.body?.data)
    #expect(body.count < data.count)
    #expect(try await decoded(body, command) == data)
    let file = try TemporaryFile(data)
    let streamed = try await sent(.file(file.url))
    #expect(streamed.head.headerFields[.contentEncoding] == "gzip")
    #expect(try await decoded(try #require(streamed.body?.data), command) == data)
  }

  @Test func `what can not be compressed is complete`() async throws {
    for count in [1_024, 65_536, 70_001, 1_000_000] {
      let data = Self.random(count, 0...255)
      let file = try TemporaryFile(data)
      let request = try await sent(.file(file.url))
      #expect(try await decoded(try #require(request.body?.data), ["gunzip", "-c"]) == data)
    }
  }

  @Test func `streams have no length and come in pieces`() async throws {
    let stream = RequestBody.stream(length: 4_000_000) {
      AsyncStream<Data> { pieces in
        for _ in 0..<40 { pieces.yield(Self.random(100_000, 0...255)) }
        pieces.finish()
      }
    }
    let (bodies, read) = AsyncStream<Void>.makeStream()
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.gzip(), Inspect(read: read)]
    }
    stub.stub(.post, "/x", with: .status(.ok))
    try await client.send(Request<Void>(.post, "/x", body: stream, decoding: .discarded))
    var reads = bodies.makeAsyncIterator()
    for _ in 0..<2 { await reads.next() }
  }

  /// Reads a streamed body twice, as a retry does.
  private struct Inspect: Middleware {
    let read: AsyncStream<Void>.Continuation

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      let body = request.body
      #expect(body?.length == nil && body?.isRepeatable == true)
      do {
        for _ in 0..<2 {
          var sizes: [Int] = []
          for try await piece in body ?? OutgoingBody(Data()) { sizes.append(piece.count) }
          #expect(sizes.count > 20 && (sizes.max() ?? 0) < 300_000)
          #expect(!sizes.contains(0))
          read.yield()
        }
      } catch {
        throw request.failure(error)
      }
      return try await next(request)
    }
  }

  @Test func `something read once stays so`() async throws {
    let request = try await sent(.once(Data(repeating: 1, count: 5_000)))
    #expect(request.head.headerFields[.contentEncoding] == "gzip")
    #expect(try await decoded(try #require(request.body?.data), ["gunzip", "-c"]).count == 5_000)
  }

  @Test func `what does not gain stays as it is`() async throws {
    let small = Data("small".utf8)
    #expect(try await sent(.data(small)).body?.data == small)
    #expect(try await sent(.data(small), [:], .gzip(minimum: 0)).body?.data == small)
    let dense = Self.random(10_000, 0...255)
    let request = try await sent(.data(dense))
    #expect(request.body?.data == dense)
    #expect(request.head.headerFields[.contentEncoding] == nil)
    #expect(try await sent(.none).body == nil)
    let file = try TemporaryFile(small)
    #expect(try await sent(.file(file.url)).body?.data == small)
  }

  @Test(arguments: [HTTPField.Name.contentEncoding, .contentDigest, .reprDigest, .contentRange])
  func `bodies that are described already stay as they are`(name: HTTPField.Name) async throws {
    let data = Data(repeating: 1, count: 5_000)
    let request = try await sent(.data(data), [name: "x"])
    #expect(request.body?.data == data)
    #expect(request.head.headerFields[name] == "x")
  }
}
