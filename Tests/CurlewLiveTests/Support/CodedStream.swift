import AsyncHTTPClient
import CurlewAsyncHTTPClient
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// A gzip response that is decompressed as it arrives.
final class CodedStream {
  struct Ended: Error {}

  let fields: HTTPHeaders
  private var chunks: HTTPClientResponse.Body.AsyncIterator
  private var coded: Coded
  /// The decompressed bytes so far.
  var content: [UInt8] { coded.content }
  /// The received bytes so far.
  private(set) var received: [UInt8] = []
  var isComplete: Bool { coded.isComplete }

  init(_ url: String, _ fields: [(String, String)] = []) async throws {
    var request = HTTPClientRequest(url: url)
    request.headers = HTTPHeaders([("Accept-Encoding", "gzip")] + fields)
    let response = try await wireClient.execute(request, timeout: .minutes(3))
    self.fields = response.headers
    chunks = response.body.makeAsyncIterator()
    coded = try Coded()
  }

  /// Reads until `length` bytes of content are decompressed; the test's time limit bounds the wait.
  func read(until length: Int) async throws {
    while content.count < length {
      guard try await readChunk() else { throw Ended() }
    }
  }

  /// Reads to the end of the response.
  func readToEnd() async throws {
    while try await readChunk() {}
  }

  private func readChunk() async throws -> Bool {
    guard let chunk = try await chunks.next(isolation: #isolation) else { return false }
    let bytes = Array(chunk.readableBytesView)
    received += bytes
    try coded.append(bytes)
    return true
  }
}

/// A gzip decoder for partial input.
private struct Coded {
  private let inflater: Inflater
  private(set) var content: [UInt8] = []
  /// Whether the file has ended with the right checksum and length, without trailing bytes.
  private(set) var isComplete = false

  init() throws { inflater = try Inflater(.gzip) }

  mutating func append(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    var output = [UInt8](repeating: 0, count: 65_536)
    while true {
      let step = try rest.withUnsafeBytes { input in
        try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
      }
      rest = rest.dropFirst(step.read)
      content += output[..<step.written]
      isComplete = step.isAtEnd && rest.isEmpty
      if step.isAtEnd || step.read == 0 && step.written == 0 { return }
    }
  }
}

/// Returns the decompressed text of a complete gzip file.
func gunzip(_ bytes: ByteBuffer) throws -> String {
  var content = try Coded()
  try content.append(Array(bytes.readableBytesView))
  guard content.isComplete else { throw CodedStream.Ended() }
  return String(decoding: content.content, as: UTF8.self)
}

/// Runs a body with a server that has an event stream at `/events`; `next` makes the server write the stream's next
/// part.
func withEvents(
  _ parts: [ByteBuffer],
  _ body: @Sendable (_ stream: CodedStream, _ next: @Sendable () -> Void) async throws -> Void
) async throws {
  let (turns, turn) = AsyncStream.makeStream(of: Void.self)
  let events: @Sendable (Request) -> Response = { _ in
    let body = ResponseBody { writer in
      var rest = parts[...]
      for await _ in turns {
        guard let part = rest.popFirst() else { break }
        try await writer.write(part)
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
  }
  try await withResponses(["/events": events]) { port in
    // A server waits for its streams when it stops.
    defer { turn.finish() }
    let stream = try await CodedStream("http://localhost:\(port)/events")
    try await body(stream) { turn.yield() }
  }
}

/// Returns a stream of events of unknown length, written at once.
func events(_ texts: [String], fields: HTTPFields = [:]) -> Response {
  var fields = fields
  fields[.contentType] = "text/event-stream"
  return Response(
    status: .ok, headers: fields,
    body: ResponseBody { writer in
      for text in texts { try await writer.write(ByteBuffer(string: text)) }
      try await writer.finish(nil)
    })
}
