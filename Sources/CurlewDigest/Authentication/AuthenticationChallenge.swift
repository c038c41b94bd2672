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
        let value = reader.next == quote ? reader.quotedText() : reader.token()
        if parameters[name] == nil { parameters[name] = value }
      } else if isAfterComma {
        // The scheme of the next challenge.
        reader = start
        return parameters
      }
      // Only a token68 or a malformed challenge has text before the next comma.
      reader.skipItem()
    }
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")

  private static func skipCommas(_ reader: inout FieldReader) {
    repeat { reader.skipSpaces() } while reader.take(",")
  }
}
