import Foundation

/// The text that separates the parts of a form, which none of them may contain (RFC 2046 section 5.1.1).
struct MultipartBoundary: CustomStringConvertible {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  let description: String

  /// Chooses a boundary that occurs in none of these parts.
  ///
  /// A file can't be searched without reading it twice; it holds a boundary of 142 random bits by
  /// chance as seldom as two UUIDs are equal.
  init(notIn parts: [Data], using generator: inout some RandomNumberGenerator) {
    var text: String
    repeat {
      text = "curlew-"
      for _ in 0..<24 {
        let letter = Self.letters[Int.random(in: 0..<Self.letters.count, using: &generator)]
        text.unicodeScalars.append(Unicode.Scalar(letter))
      }
    } while parts.contains { $0.range(of: Data(text.utf8)) != nil }
    description = text
  }
}

extension MultipartForm.Part {
  /// An error for a content type that is none, or would add a field of its own to the part.
  private struct InvalidContentType: Error, CustomStringConvertible {
    let name: String

    var description: String { "the content type of the part \(name.debugDescription) is malformed" }
  }

  /// Returns the part's header fields, up to its content.
  func head(contentType: String?) throws -> Data {
    var text = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName = content.fileName { text += "; filename=\"\(Self.escaped(fileName))\"" }
    if let contentType {
      guard FileType.isValid(contentType) else { throw InvalidContentType(name: name) }
      text += "\r\nContent-Type: \(contentType)"
    }
    return Data("\(text)\r\n\r\n".utf8)
  }

  /// Returns a name as browsers send it: all other characters stay as they are, also `%` and `\`.
  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "%22".utf8
      case UInt8(ascii: "\r"): bytes += "%0D".utf8
      case UInt8(ascii: "\n"): bytes += "%0A".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
