import CurlewJSON

/// The coding path and the reason of a decoding error, as text for the log.
struct DecodingProblem {
  /// The coding path that the decoder reported.
  let path: [any CodingKey]
  /// The expected and the actual value.
  let reason: String
  /// Whether the decoder reported only that the text, or an entry of a list, is not JSON.
  var isInvalidJSON = false

  /// Creates the description of a decoder's error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - codingPath: The coding path for an error that contains none.
  ///   - isEmpty: Whether the body was empty.
  init(_ error: any Error, at codingPath: [any CodingKey] = [], isEmpty: Bool = false) {
    switch error {
    case DecodingError.typeMismatch(let expected, let context):
      path = context.codingPath
      let found = context.debugDescription.firstMatch(of: /but found (.+?) instead/)?.1
      reason =
        "expected \(Self.name(of: expected))"
        + (found.map { ", found \($0)." } ?? ". \(context.debugDescription)")
    case DecodingError.valueNotFound(let expected, let context):
      path = context.codingPath
      reason = "expected \(Self.name(of: expected)), found null or no value."
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath
      reason = "the key \"\(key.stringValue)\" is missing."
    case DecodingError.dataCorrupted(let context):
      path = context.codingPath
      reason = isEmpty ? "the body is empty." : Self.reason(corrupted: context)
      isInvalidJSON =
        !isEmpty
        && (context.debugDescription == Self.invalidJSON || reason.hasSuffix(Self.malformed))
    default:
      path = codingPath
      reason =
        Self.unfitNumber(error).map { Self.reason(unfit: $0) }
        ?? (Self.isFoundations(error) ? Self.malformed : "\(error)")
    }
  }

  /// Creates the description of malformed JSON, with its line and column.
  ///
  /// - Parameter line: The line's number, if the JSON is one line of a longer text.
  init(_ fault: JSONFault, line: Int? = nil) {
    path = []
    reason = "not JSON at line \(line ?? fault.line), column \(fault.column): \(fault.reason)"
  }

  /// The problem of a web page instead of JSON.
  static let webPage = DecodingProblem(
    path: [],
    reason: "the response is a web page (HTML), not JSON: a network's sign-in page (captive "
      + "portal), or a wrong address.")

  private init(path: [any CodingKey], reason: String) {
    (self.path, self.reason) = (path, reason)
  }

  /// Returns the name of an expected type; for any object or array, JSON's name.
  private static func name(of type: any Any.Type) -> String {
    switch "\(type)" {
    case "Dictionary<String, Any>": "an object"
    case "Array<Any>": "an array"
    case let name: name
    }
  }

  private static func reason(corrupted context: DecodingError.Context) -> String {
    let text = context.debugDescription
    // The message of `FastJSONDecoder`; Foundation reports only that the text is not JSON.
    if let number = text.wholeMatch(of: /Number (.+) is not representable in Swift\./)?.1 {
      return reason(unfit: String(number))
    }
    guard text == invalidJSON else { return text }
    return context.codingPath.isEmpty
      ? "it is not JSON in UTF-8, or a number does not fit the expected type." : malformed
  }

  private static func reason(unfit number: String) -> String {
    "the number \(number) does not fit the expected type."
  }

  /// The decoders' description of a text that is not JSON.
  private static let invalidJSON = "The given data was not valid JSON."

  /// The reason for malformed JSON within an entry of a list.
  private static let malformed = "it is not valid JSON."

  /// Returns whether an error is the internal error that Foundation's decoder throws for malformed JSON in a
  /// list.
  private static func isFoundations(_ error: any Error) -> Bool {
    String(reflecting: type(of: error)).hasPrefix("FoundationEssentials.JSONError")
  }

  /// Returns the number that does not fit its type, from the error that Foundation throws for such a number
  /// in a list.
  private static func unfitNumber(_ error: any Error) -> String? {
    let text = /numberIsNotRepresentableInSwift\(parsed: "(.+)"\)/
    return "\(error)".wholeMatch(of: text).map { String($0.1) }
  }

  /// The coding path as text, such as `[3].user.login`; empty at the top.
  var codingPath: String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text
  }
}

extension String {
  /// The text without line breaks and control characters.
  var inOneLine: String {
    let scalars = unicodeScalars.split { scalar in
      scalar.properties.isWhitespace && scalar != " "
        || scalar.properties.generalCategory == .control
    }
    return scalars.map { String($0) }.joined(separator: " ")
  }

  /// At most 160 characters of the text, in one line.
  var shortened: String {
    let line = inOneLine
    return line.count <= 160 ? line : line.prefix(159) + "…"
  }
}
