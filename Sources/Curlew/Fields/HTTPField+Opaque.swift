import Foundation
import HTTPTypes

extension HTTPField {
  /// Whether the value has bytes that are not UTF-8 (RFC 9110 section 5.5).
  package var isOpaque: Bool {
    withUnsafeBytesOfValue { String(validating: $0, as: UTF8.self) == nil }
  }

  /// Whether the transport has replaced bytes of the value that are not UTF-8, so that it can't be sent back.
  var hasLostBytes: Bool { value.contains("\u{FFFD}") && !isOpaque }

  /// The value as text: ISO 8859-1 if it is not UTF-8.
  var text: String {
    withUnsafeBytesOfValue { bytes in
      String(validating: bytes, as: UTF8.self)
        ?? String(bytes: bytes, encoding: .isoLatin1) ?? ""
    }
  }
}

extension HTTPFields {
  /// The fields with values as text (``HTTPField/text``), for the caller; before, values are sent back byte for byte.
  var asText: HTTPFields {
    var fields = HTTPFields()
    for field in self {
      fields.append(field.isOpaque ? HTTPField(name: field.name, value: field.text) : field)
    }
    return fields
  }
}

extension HTTPField {
  /// The value as a text that differs for different bytes: other bytes than UTF-8 are written as numbers.
  var distinctValue: String {
    let value = value
    return withUnsafeBytesOfValue { bytes in
      value.utf8.elementsEqual(bytes) ? value : "\(Array(bytes))"
    }
  }
}

extension HTTPRequest {
  /// Returns whether the requests are equal to the byte, with the fields in the same order.
  func isBytewiseEqual(to other: Self) -> Bool {
    self == other && path.map(Bytewise.init) == other.path.map(Bytewise.init)
      && authority.map(Bytewise.init) == other.authority.map(Bytewise.init)
      && zip(headerFields, other.headerFields).allSatisfy { one, other in
        one.withUnsafeBytesOfValue { one in other.withUnsafeBytesOfValue { one.elementsEqual($0) } }
      }
  }
}
