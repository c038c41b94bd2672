import Curlew

/// A challenge of any scheme in a `WWW-Authenticate` field (RFC 9110 section 11.3).
struct AuthenticationChallenge: Equatable {
  /// The scheme, in lowercase.
  let scheme: String
  /// The parameters, with names in lowercase; of parameters with the same name, the first counts.
  let parameters: [String: String]

  /// Parses the challenges in a field's value, and skips malformed challenges.
  static func challenges(in value: String) -> [AuthenticationChallenge] {
    var reader = FieldReader(value)
    var challenges: [AuthenticationChallenge] = []
    while true {
      skipCommas(&reader)
      if reader.isAtEnd { return challenges }
      let scheme = reader.token()
      if scheme.isEmpty {
        reader.skipItem()
      } else {
        challenges.append(
          AuthenticationChallenge(scheme: scheme.lowercased(), parameters: parameters(&reader)))
      }
    }
  }

  private static func parameters(_ reader: inout FieldReader) -> [String: String] {
    var parameters: [String: String] = [:]
    var last = ""
    while true {
      let start = reader
      reader.skipSpaces()
      let isAfterComma = reader.next == comma
      skipCommas(&reader)
      if reader.isAtEnd { return parameters }
      let name = reader.token().lowercased()
      reader.skipSpaces()
      if !name.isEmpty, reader.take("=") {
        reader.skipSpaces()
        let value = reader.next == quote ? reader.quotedText() : plainText(&reader)
        if parameters[name] == nil { parameters[name] = value }
        last = name
      } else if last == "qop", ["auth", "auth-int"].contains(name) {
        // A list without quotes: `qop=auth,auth-int`.
        parameters[last]?.append(",\(name)")
      } else if isAfterComma {
        // The scheme of the next challenge.
        reader = start
        return parameters
      }
      // Only a token68 or a malformed challenge has text before the next comma.
      reader.skipItem()
    }
  }

  /// Reads a value without quotes, which may have the characters that a token can't, such as `=` in a nonce.
  private static func plainText(_ reader: inout FieldReader) -> String {
    let text = reader.text { $0 != comma && $0 != quote }
    return String(text.dropLast(text.utf8.reversed().prefix(while: FieldReader.isSpace).count))
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")

  private static func skipCommas(_ reader: inout FieldReader) {
    repeat { reader.skipSpaces() } while reader.take(",")
  }
}
