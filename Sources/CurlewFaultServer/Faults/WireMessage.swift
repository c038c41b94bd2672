import Foundation
import HTTPTypes

/// The bytes of a response on a connection (RFC 9112), with the faults that change them.
struct WireMessage: Sendable {
  private(set) var bytes = Data()
  /// Whether the connection is closed after the message.
  private(set) var closes = false

  private var headStart = 0
  private var bodyStart = 0
  /// The ranges of the body's bytes, without their framing.
  private var content: [Range<Int>] = []

  /// Creates a message from raw bytes: a head up to the first empty line, and a body.
  init(raw: Data, _ faults: [Fault]) {
    let head = raw.range(of: Data("\r\n\r\n".utf8)).map { $0.upperBound - raw.startIndex }
    bytes = raw
    bodyStart = head ?? raw.count
    if bodyStart < raw.count { content = [bodyStart..<raw.count] }
    appendExtraBytes(faults)
  }

  /// Creates the message of a response.
  ///
  /// - Parameter hasBody: Whether the body is sent. It isn't in a response to `HEAD`.
  init(_ head: HTTPResponse, _ body: Data, hasBody: Bool, _ faults: [Fault]) {
    let format = WireFormat(faults)
    for interim in format.interim { append(interim) }
    (headStart, bodyStart) = (bytes.count, bytes.count)
    let mayHaveBody = head.status.code != 204 && head.status.code != 304
    append(format.statusLine(head.status))
    for field in format.headerFields(head.headerFields, body.count, mayHaveBody: mayHaveBody) {
      append("\(field.name.rawName): \(field.value)\r\n")
    }
    for line in format.headLines { append(line + "\r\n") }
    append("\r\n")
    bodyStart = bytes.count
    if hasBody && mayHaveBody { append(body, format) }
    closes = format.closes(head.headerFields)
    appendExtraBytes(faults)
  }

  /// Returns the number of bytes before a position.
  func offset(of position: Fault.Position) -> Int {
    switch position {
    case .nothing: return 0
    case .head(let count): return min(headStart + max(count, 0), bodyStart)
    case .body(var count):
      if count <= 0 { return bodyStart }
      for range in content {
        if count <= range.count { return range.lowerBound + count }
        count -= range.count
      }
      return bytes.count
    case .everything: return bytes.count
    }
  }

  private mutating func append(_ body: Data, _ format: WireFormat) {
    guard format.isChunked else { return appendContent(body) }
    for chunk in format.chunks(of: body) {
      append(String(chunk.count, radix: 16) + "\r\n")
      appendContent(chunk)
      append("\r\n")
    }
    append("0\r\n")
    for field in format.trailers { append("\(field.name.rawName): \(field.value)\r\n") }
    append("\r\n")
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func appendContent(_ data: Data) {
    guard !data.isEmpty else { return }
    content.append(bytes.count..<bytes.count + data.count)
    bytes.append(data)
  }

  private mutating func appendExtraBytes(_ faults: [Fault]) {
    for case .extraBytes(let extra) in faults.map(\.kind) { bytes.append(extra) }
  }
}
