import Foundation
import HTTPTypes

/// The wire format of a response, with the faults that change it.
struct WireFormat {
  private(set) var interim: [String] = []
  private(set) var headLines: [String] = []
  private(set) var trailers: HTTPFields = [:]
  private(set) var isChunked = false
  private var isCloseDelimited = false
  private var wholeStatusLine: String?
  private var lengthDifference: Int?
  private var chunkSize = Int.max

  init(_ faults: [Fault]) {
    for fault in faults { apply(fault.kind) }
  }

  private mutating func apply(_ kind: Fault.Kind) {
    switch kind {
    case .contentLength(let difference): lengthDifference = difference
    case .closeDelimited: isCloseDelimited = true
    case .chunked(let size): (isChunked, chunkSize) = (true, size)
    case .trailers(let fields):
      isChunked = true
      trailers.append(contentsOf: fields)
    case .interim(let status, let fields):
      let lines = fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
      interim.append("HTTP/1.1 \(status) \(Self.reason(status))\r\n\(lines)\r\n")
    case .statusLine(let text): wholeStatusLine = text
    case .headLine(let line): headLines.append(line)
    case .slow, .pause, .end, .extraBytes, .followed, .raw: break
    }
  }

  private static func reason(_ status: Int) -> String {
    [100: "Continue", 102: "Processing", 103: "Early Hints"][status] ?? "Interim"
  }

  func statusLine(_ status: HTTPResponse.Status) -> String {
    if let wholeStatusLine { return wholeStatusLine + "\r\n" }
    return "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
  }

  /// Returns the response's own header fields, with the fields that frame its body.
  func headerFields(_ own: HTTPFields, _ count: Int, mayHaveBody: Bool) -> HTTPFields {
    var fields = own
    if isChunked {
      fields[.contentLength] = nil
      fields[.transferEncoding] = "chunked"
      if !trailers.isEmpty {
        fields[.trailer] = trailers.map(\.name.rawName).joined(separator: ", ")
      }
    } else if let lengthDifference {
      fields[.contentLength] = "\(max(count + lengthDifference, 0))"
    } else if isCloseDelimited {
      fields[.contentLength] = nil
      fields[.connection] = "close"
    } else if mayHaveBody, own[.contentLength] == nil {
      fields[.contentLength] = "\(count)"
    }
    return fields
  }

  /// Returns whether the connection is closed after the response, unless another fault overrides it: because closing
  /// ends the body, or because the client would wait for missing bytes forever.
  func closes(_ own: HTTPFields) -> Bool {
    lengthDifference ?? 0 > 0 || isCloseDelimited || own[.connection]?.lowercased() == "close"
  }

  func chunks(of body: Data) -> [Data] {
    var (chunks, rest) = ([Data](), body[...])
    while !rest.isEmpty {
      chunks.append(rest.prefix(chunkSize))
      rest = rest.dropFirst(chunkSize)
    }
    return chunks
  }
}
