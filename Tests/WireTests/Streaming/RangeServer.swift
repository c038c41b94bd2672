import CurlewFaultServer
import Foundation
import Synchronization

/// A file on a server that supports ranges (RFC 9110 section 14), with faulty responses.
final class RangeServer: Sendable {
  /// A fault of a response.
  enum Fault: Hashable {
    /// Ends, resets or stalls after this many bytes of the body.
    case cut(Int), reset(Int), stall(Int)
    /// Ignores ranges: the whole file is sent.
    case ignoresRanges
    /// The range starts at another offset than requested, or belongs to another file.
    case wrongStart, wrongTotal
    /// Responds with this status without a body.
    case status(Int)
    /// The file's content changes before the response.
    case changed, shrunk
    /// The 206 has another validator, though the range was sent.
    case otherTag
  }

  struct State {
    var content: Data
    var version = 1
    var faults: [Fault] = []
    var ranges: [String?] = []
    var hasTag = true
    var hasDate = false
    var isWeak = false
    /// Whether the body is chunked, so that its length is unknown.
    var isChunked = false
  }

  let state: Mutex<State>

  init(_ content: Data, _ change: (inout State) -> Void = { _ in }) {
    var state = State(content: content)
    change(&state)
    self.state = Mutex(state)
  }

  /// The current bytes.
  var content: Data { state.withLock { $0.content } }

  /// The `Range` of each request.
  var ranges: [String?] { state.withLock { $0.ranges } }

  private static let date = "Sun, 22 Nov 2026 10:00:00 GMT"

  func respond(_ exchange: Exchange) async throws {
    let range = exchange.request["Range"]
    let (now, fault) = state.withLock { state -> (State, Fault?) in
      state.ranges.append(range)
      let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
      if fault == .changed { state.content = Data(state.content.map { $0 ^ 0x55 }) }
      if fault == .shrunk { state.content = state.content.prefix(state.content.count / 2) }
      if fault == .changed || fault == .shrunk { state.version += 1 }
      return (state, fault)
    }
    let tag = (now.isWeak ? "W/" : "") + "\"v\(now.version)\""
    let modified = "Sun, 22 Nov 2026 0\(now.version % 10):00:00 GMT"
    var fields = [("Date", Self.date)]
    if now.hasTag { fields.append(("ETag", fault == .otherTag ? "\"other\"" : tag)) }
    if now.hasDate { fields.append(("Last-Modified", modified)) }
    if case .status(let status) = fault { return try await exchange.respond(status, fields) }
    let validators = [now.hasTag ? tag : nil, now.hasDate ? modified : nil]
    let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
    var body = now.content[...]
    var status = 200
    if let start, validators.contains(exchange.request["If-Range"]), fault != .ignoresRanges {
      let total = now.content.count
      guard start < total else {
        return try await exchange.respond(416, [("Content-Range", "bytes */\(total)")])
      }
      let first = fault == .wrongStart ? max(0, start - 1) : start
      body = now.content[first...]
      status = 206
      let shown = fault == .wrongTotal ? total + 1 : total
      fields.append(("Content-Range", "bytes \(first)-\(total - 1)/\(shown)"))
    }
    try await send(status, fields, Data(body), fault, isChunked: now.isChunked, exchange)
  }

  private func send(
    _ status: Int, _ fields: [(String, String)], _ body: Data, _ fault: Fault?, isChunked: Bool,
    _ exchange: Exchange
  ) async throws {
    let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
    var head = "HTTP/1.1 \(status) Status\r\n\(framing)\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    try await exchange.write(head + "\r\n")
    let count: Int
    switch fault {
    case .cut(let limit), .reset(let limit), .stall(let limit): count = min(limit, body.count)
    default: count = body.count
    }
    for offset in stride(from: 0, to: count, by: 4096) {
      let chunk = body[offset..<min(offset + 4096, count)]
      if isChunked { try await exchange.write(String(chunk.count, radix: 16) + "\r\n") }
      try await exchange.write(Data(chunk))
      if isChunked { try await exchange.write("\r\n") }
    }
    switch fault {
    case .cut: try await exchange.close()
    case .reset: try await exchange.reset()
    case .stall: await exchange.closed()
    default: if isChunked { try await exchange.write("0\r\n\r\n") }
    }
  }
}
