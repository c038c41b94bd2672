import Curlew
import Foundation
import HTTPTypes

/// Parses the lines of a response's head and of chunks (RFC 9112 sections 4, 5 and 7.1).
package enum WireHead {
  static func status(of line: String) throws -> HTTPResponse.Status {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0",
      parts[1].utf8.count == 3, parts[1].utf8.allSatisfy(\.isDigit), let code = Int(parts[1]),
      code >= 100
    else { throw Client.TransportFailure.malformed("\"\(line.prefix(40))\" is not a status line") }
    let reason = parts.count > 2 ? String(parts[2]) : ""
    return HTTPResponse.Status(code: code, reasonPhrase: reason)
  }

  static func field(of line: String) throws -> HTTPField {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
      throw Client.TransportFailure.malformed("\"\(line.prefix(40))\" is not a header field")
    }
    let value = parts[1].trimmingCharacters(in: .whitespaces)
    guard HTTPField.isValidValue(value) else {
      throw Client.TransportFailure.malformed("the value of \(name) is invalid")
    }
    return HTTPField(name: name, value: value)
  }

  package static func chunkSize(of line: String) throws -> Int {
    // Chunk extensions, after a semicolon, are ignored.
    let text = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    guard text.utf8.allSatisfy(\.isHexDigit), let size = Int(text, radix: 16) else {
      throw Client.TransportFailure.malformed("\"\(line.prefix(40))\" is not the size of a chunk")
    }
    return size
  }
}

extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  var isHexDigit: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
  }
}
