import CurlewJSON

/// The coding path and the reason of a decoding error, as text for the log.
struct DecodingProblem {
  /// The coding path that the decoder reported.
  let path: [any CodingKey]
  /// The expected and the actual value.
  let reason: String
  /// The position of malformed JSON, from `FastJSONDecoder`.
  var fault: JSONFault?

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
      reason =
        context.debugDescription.isEmpty ? "expected \(expected)." : context.debugDescription
    case DecodingError.valueNotFound(let expected, let context):
      path = context.codingPath
      reason = "expected \(expected), found null or no value."
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath
      reason = "the key \"\(key.stringValue)\" is missing."
    case DecodingError.dataCorrupted(let context):
      path = context.codingPath
      fault = context.underlyingError as? JSONFault
      reason = isEmpty ? "the body is empty." : Self.reason(corrupted: context)
    default:
      path = codingPath
      // The internal error that Foundation's decoder throws in a list.
      let isFoundations = String(reflecting: type(of: error)).hasPrefix(
        "FoundationEssentials.JSONError")
      reason = isFoundations ? Self.unreadable : "\(error)"
    }
  }

  /// Creates the description of malformed JSON, with its line and column.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8.
  ///   - line: The line's number, if the JSON is one line of a longer text.
  init(_ fault: JSONFault, in text: [UInt8], line: Int? = nil) {
    path = []
    let position = fault.position(in: text)
    reason =
      "not JSON at line \(line ?? position.line), column \(position.column): \(fault.reason)"
  }

  /// The problem of a web page instead of JSON.
  static let webPage = DecodingProblem(
    path: [],
    reason: "the response is a web page (HTML), not JSON: a network's sign-in page (captive "
      + "portal), or a wrong address.")

  private init(path: [any CodingKey], reason: String) {
    (self.path, self.reason) = (path, reason)
  }

  private static func reason(corrupted context: DecodingError.Context) -> String {
    switch context.underlyingError {
    case let number as UnfitNumber: "the number \(number.text) does not fit the expected type."
    case is JSONFault where isOfJSON(context): "it is not valid JSON."
    default: isOfJSON(context) ? unreadable : context.debugDescription
    }
  }

  /// Whether an error has the description of Foundation's decoder for invalid JSON.
  private static func isOfJSON(_ context: DecodingError.Context) -> Bool {
    context.debugDescription == "The given data was not valid JSON."
  }

  /// The reason of Foundation's decoder, which reports neither the number nor the position.
  private static let unreadable =
    "it is not JSON in UTF-8, or a number does not fit the expected type."

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
