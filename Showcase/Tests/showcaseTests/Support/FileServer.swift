import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// A server of one file, `/file.bin`, with support for ranges; other paths respond with 404.
actor FileServer {
  static let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

  private let ranges = Log()
  /// The number of bytes after which the first response stalls; `nil` for never.
  private let stall: Int?
  /// The size of pieces sent at intervals of a millisecond; `nil` sends the whole file at once.
  private let pieces: Int?
  private var running: Task<Void, any Error>?

  private final class Log: Sendable {
    let all = Mutex<[String]>([])
  }

  init(stallingAfter stall: Int? = nil, pieces: Int? = nil) {
    (self.stall, self.pieces) = (stall, pieces)
  }

  /// The `Range` field of each request; `-` for none.
  nonisolated var requests: [String] { ranges.all.withLock { $0 } }

  /// Starts the server, and returns the URL of the file when it listens.
  func start() async throws -> String {
    let router = Router()
    router.get("/file.bin") { [ranges, stall, pieces] request, _ in
      let range = request.headers[.range]
      let isFirst = ranges.all.withLock { all in
        all.append(range ?? "-")
        return all.count == 1
      }
      let start = range.flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      let rest = Self.bytes.dropFirst(start)
      var fields: HTTPFields = [.contentType: "application/octet-stream", .eTag: "\"1\""]
      if range != nil {
        fields[.contentRange] = "bytes \(start)-\(Self.bytes.count - 1)/\(Self.bytes.count)"
      }
      let body = ResponseBody(contentLength: rest.count) { writer in
        guard isFirst, let stall else {
          var rest = rest
          while !rest.isEmpty {
            let piece = rest.prefix(pieces ?? rest.count)
            try await writer.write(ByteBuffer(bytes: piece))
            rest = rest.dropFirst(piece.count)
            if pieces != nil { try await Task.sleep(for: .milliseconds(1)) }
          }
          return try await writer.finish(nil)
        }
        // Longer than the interval of progress reports.
        for part in [rest.prefix(stall / 2), rest.prefix(stall).dropFirst(stall / 2)] {
          try await writer.write(ByteBuffer(bytes: part))
          try await Task.sleep(for: .milliseconds(300))
        }
        try await Task.sleep(for: .seconds(60))
        try await writer.finish(nil)
      }
      return Response(status: range == nil ? .ok : .partialContent, headers: fields, body: body)
    }
    let (listening, report) = AsyncStream<Int>.makeStream()
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { report.yield($0.localAddress?.port ?? 0) })
    running = Task { try await application.run() }
    for await port in listening { return "http://127.0.0.1:\(port)/file.bin" }
    return ""
  }

  func stop() async {
    running?.cancel()
    _ = try? await running?.value
  }
}
