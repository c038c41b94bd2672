import Foundation

extension MultipartForm.Part {
  /// Returns the part's header fields, up to its content.
  func head(contentType: String?) throws -> Data {
    var text = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName = content.fileName { text += "; filename=\"\(Self.escaped(fileName))\"" }
    if let contentType {
      // A line break in a malformed content type could add header fields to the part.
      guard FileType.isValid(contentType) else {
        throw EncodingError.invalidValue(
          contentType,
          EncodingError.Context(
            codingPath: [],
            debugDescription: "the content type of the part \(name.debugDescription) is malformed"))
      }
      text += "\r\nContent-Type: \(contentType)"
    }
    return Data("\(text)\r\n\r\n".utf8)
  }

  /// Returns a name as browsers send it: only `"`, CR and LF are escaped, not `%` or `\`.
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
