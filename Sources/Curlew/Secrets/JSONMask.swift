import CurlewJSON
import Foundation

/// Masks the values of members with secret names in a JSON text (RFC 8259), at any depth.
///
/// It scans the text's tokens without building values. So it changes no other bytes, runs in linear time,
/// and also masks values in malformed text.
struct JSONMask {
  private let bytes: [UInt8]
  private let isJSONLines: Bool
  private let secretNames: Set<String>
  /// The maximum length in bytes of a name that may be secret: nine bytes of an escaped name may become one
  /// byte in lowercase.
  private let longestName: Int
  private var index = 0
  private var result: [UInt8] = []
  /// The end of the bytes that have been copied to the result.
  private var copied = 0
  /// Whether the next value belongs to a secret name.
  private var followsSecretName = false
  /// The number of open brackets in the value of a secret name.
  private var depth = 0
  /// Whether one of these brackets is an object's.
  private var isInObject = false
  private var found: Set<String> = []

  /// - Parameters:
  ///   - isJSONLines: Whether each line is a separate text, so that malformed text affects only its line.
  ///   - secretNames: The secret names in lowercase.
  init(_ text: Data, isJSONLines: Bool, secretNames: Set<String>) {
    bytes = [UInt8](text)
    self.isJSONLines = isJSONLines
    self.secretNames = secretNames
    longestName = 9 * (secretNames.map(\.utf8.count).max() ?? 0)
    result.reserveCapacity(bytes.count)
  }

  /// Returns the text with the values of secret names masked, and the masked values.
  ///
  /// Strings and numbers are masked, at any depth. The returned values don't include the contents of
  /// objects, which also contain texts that are not secret.
  consuming func masked() -> (body: Data, values: Set<String>) {
    scan()
    return (Data(result + bytes[copied...]), found)
  }

  private mutating func scan() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        string()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if followsSecretName || depth > 0 {
          depth += 1
          isInObject = isInObject || bytes[index] == UInt8(ascii: "{")
        }
        followsSecretName = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        isInObject = isInObject && depth > 0
        followsSecretName = false
      case UInt8(ascii: ","):
        followsSecretName = false
      case UInt8(ascii: "\n") where isJSONLines:
        (followsSecretName, depth, isInObject) = (false, 0, false)
      case UInt8(ascii: ":"), ...0x20:
        break
      default:
        word()
        continue
      }
      index += 1
    }
  }

  private mutating func string() {
    let start = index + 1
    let end = stringEnd(from: start)
    index = min(end + 1, bytes.count)
    if end < bytes.count, bytes[end] != UInt8(ascii: "\"") { index = end }
    // The string after a secret name is its value, even if a colon follows.
    if !followsSecretName, isFollowedByColon {
      followsSecretName = depth == 0 && isSecret(bytes[start..<end])
    } else {
      mask(start..<end, with: Redaction.mask)
    }
  }

  /// Returns the index of the quotation mark that ends a string, or of the end of the text.
  private func stringEnd(from start: Int) -> Int {
    var end = start
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "\""): return end
      case UInt8(ascii: "\n") where isJSONLines: return end
      case UInt8(ascii: "\\") where !(isJSONLines && bytes[end...].dropFirst().first == 0x0A):
        end += 2
      default: end += 1
      }
    }
    return bytes.count
  }

  private var isFollowedByColon: Bool {
    var next = index
    while next < bytes.count, bytes[next] <= 0x20, !(isJSONLines && bytes[next] == 0x0A) {
      next += 1
    }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  /// Scans a number, a word such as `true`, or an invalid word.
  private mutating func word() {
    let start = index
    while index < bytes.count, !Self.endsWord(bytes[index]) { index += 1 }
    guard followsSecretName || depth > 0 else { return }
    let isConstant = ["true", "false", "null"].contains {
      bytes[start..<index].elementsEqual($0.utf8)
    }
    if isConstant {
      followsSecretName = false
    } else {
      mask(start..<index, with: "\"\(Redaction.mask)\"")
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "\",:{}[]".utf8.contains(byte)
  }

  private mutating func mask(_ value: Range<Int>, with mask: String) {
    guard followsSecretName || depth > 0 else { return }
    result += bytes[copied..<value.lowerBound]
    result += mask.utf8
    copied = value.upperBound
    if !isInObject { found.insert(Self.text(of: bytes[value])) }
    followsSecretName = false
  }

  private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count <= longestName else { return false }
    return secretNames.contains(Self.text(of: name).lowercased())
  }

  /// Returns the text of a string with its escape sequences decoded (RFC 8259 section 7).
  private static func text(of string: ArraySlice<UInt8>) -> String {
    guard string.contains(UInt8(ascii: "\\")) else {
      return String(decoding: string, as: UTF8.self)
    }
    var (bytes, rest) = ([UInt8](), string)
    while let byte = rest.first {
      // Of an invalid escape sequence, only the backslash is removed.
      let isEscape = byte == UInt8(ascii: "\\")
      let (meaning, length) = isEscape ? JSONEscape.meaning(of: rest) ?? ([], 1) : ([byte], 1)
      bytes += meaning
      rest = rest.dropFirst(length)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
