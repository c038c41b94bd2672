import Foundation
import HTTPTypes

/// The wire format of a response, with the faults that change it.
struct WireFormat {
  struct Chunk {
    var size: String
    var bytes: Data
    var hasLineEnd = true
  }

  private(set) var interim: [String] = []
  private(set) var headLines: [String] = []
  private(set) var endless: Fault.Endless?
  private(set) var trailers: HTTPFields = [:]
  private(set) var isChunked = false
  private var isCloseDelimited = false
  private var wholeStatusLine: String?
  private var contentLength: Fault.ContentLength?
  private var chunkSize = Int.max
  private var flaws: [(flaw: Fault.ChunkFault, index: Int)] = []

  init(_ faults: [Fault]) {
    for fault in faults { apply(fault.kind) }
  }

  private mutating func apply(_ kind: Fault.Kind) {
    switch kind {
    case .contentLength(let length): contentLength = length
    case .closeDelimited: isCloseDelimited = true
    case .chunked(let size): (isChunked, chunkSize) = (true, size)
    case .brokenChunk(let flaw, let index):
      isChunked = true
      flaws.append((flaw, index))
    case .trailers(let fields):
      isChunked = true
      trailers.append(contentsOf: fields)
    case .interim(let status, let fields):
      let lines = fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
      interim.append("HTTP/1.1 \(status) \(Self.reason(status))\r\n\(lines)\r\n")
    case .statusLine(let text): wholeStatusLine = text
    case .headLine(let line): headLines.append(line)
    case .endless(let part):
      endless = part
      if part == .trailers { isChunked = true }
    case .slow, .pause, .end, .extraBytes, .preceded, .followed, .raw: break
    }
  }

  private static func reason(_ status: Int) -> String {
    [100: "Continue", 102: "Processing", 103: "Early Hints"][status] ?? "Interim"
  }

  func statusLine(_ status: HTTPResponse.Status) -> String {
    if let wholeStatusLine { return wholeStatusLine + "\r\n" }
    return "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
  }

  /// Returns the response's own fields and those that frame its body.
  func headerFields(_ own: HTTPFields, _ count: Int, mayHaveBody: Bool) -> HTTPFields {
    var fields = own
    if isChunked {
      fields[.contentLength] = nil
      fields[.transferEncoding] = "chunked"
      if !trailers.isEmpty {
        fields[.trailer] = trailers.map(\.name.rawName).joined(separator: ", ")
      }
    } else if let contentLength {
      switch contentLength {
      case .differing(let difference): fields[.contentLength] = "\(max(count + difference, 0))"
      case .text(let text): fields[.contentLength] = text
      }
    } else if isCloseDelimited || endless == .body {
      fields[.contentLength] = nil
      fields[.connection] = "close"
    } else if mayHaveBody, own[.contentLength] == nil {
      fields[.contentLength] = "\(count)"
    }
    return fields
  }

  /// Returns whether the connection is closed after the response unless another fault says
  /// otherwise: because closing ends the response, or because the client would wait for bytes that
  /// never come.
  func closes(_ own: HTTPFields) -> Bool {
    if case .differing(let difference)? = contentLength, difference > 0 { return true }
    return isCloseDelimited || !flaws.isEmpty || own[.connection]?.lowercased() == "close"
  }

  var hasLastChunk: Bool { !flaws.contains { $0.flaw == .noLastChunk } }

  func chunks(of body: Data) -> [Chunk] {
    var rest = body[...]
    var chunks: [Chunk] = []
    while !rest.isEmpty {
      let bytes = rest.prefix(chunkSize)
      chunks.append(Chunk(size: String(bytes.count, radix: 16), bytes: Data(bytes)))
      rest = rest.dropFirst(chunkSize)
    }
    for (flaw, index) in flaws {
      if chunks.isEmpty { chunks = [Chunk(size: "0", bytes: Data(), hasLineEnd: false)] }
      let index = min(max(index, 0), chunks.count - 1)
      switch flaw {
      case .size(let text): chunks[index].size = text
      case .noLineEnd: chunks[index].hasLineEnd = false
      case .noLastChunk: chunks.removeSubrange((index + 1)...)
      }
    }
    return chunks
  }
}
