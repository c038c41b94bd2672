/// What a decoder did not find, and where, as texts for the log.
struct DecodingProblem {
  /// Where, as the decoder says it.
  let path: [any CodingKey]
  /// What was expected and what was found.
  let reason: String

  /// Reads what a decoder threw.
  ///
  /// - Parameters:
  ///   - error: The error; its place is `place` where it names none itself.
  ///   - place: Where the decoder was.
  ///   - isEmpty: Whether there was nothing to decode at all.
  init(_ error: any Error, at place: [any CodingKey] = [], isEmpty: Bool = false) {
    switch error {
    case DecodingError.typeMismatch(let expected, let context):
      path = context.codingPath
      let found = context.debugDescription.firstMatch(of: /but found (.+?) instead/)?.1
      reason =
        "expected \(Self.name(of: expected))"
        + (found.map { ", found \($0)." } ?? ". \(context.debugDescription)")
    case DecodingError.valueNotFound(let expected, let context):
      path = context.codingPath
      reason = "expected \(Self.name(of: expected)), found null or nothing."
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath
      reason = "the key \"\(key.stringValue)\" is missing."
    case DecodingError.dataCorrupted(let context):
      path = context.codingPath
      reason =
        isEmpty
        ? "the body is empty."
        : context.debugDescription == "The given data was not valid JSON."
          ? "it is not JSON in UTF-8, or a number does not fit the type that is expected."
          : context.debugDescription
    default:
      path = place
      reason = Self.unfitNumber(error).map { Self.reason(unfit: $0) } ?? "\(error)"
    }
  }

  /// Says that a number does not fit.
  init(_ number: UnrepresentableNumber) {
    path = number.path
    reason = Self.reason(unfit: number.text)
  }

  /// Says in which line and column a text is not JSON.
  init(_ fault: JSONFault) {
    path = []
    reason = "not JSON at line \(fault.line), column \(fault.column): \(fault.reason)"
  }

  /// Says that a web page came where JSON was expected.
  static let webPage = DecodingProblem(
    path: [],
    reason: "a web page (HTML) came instead of JSON, as from a network's sign-in page (a captive "
      + "portal) or a wrong address.")

  private init(path: [any CodingKey], reason: String) {
    (self.path, self.reason) = (path, reason)
  }

  /// What a decoder expected, in JSON's words where it names its own types for any object or array.
  private static func name(of type: any Any.Type) -> String {
    switch "\(type)" {
    case "Dictionary<String, Any>": "an object"
    case "Array<Any>": "an array"
    case let name: name
    }
  }

  private static func reason(unfit number: String) -> String {
    "the number \(number) does not fit the type that is expected."
  }

  /// The number that Foundation's decoder says does not fit, as it says so within a list.
  private static func unfitNumber(_ error: any Error) -> String? {
    let text = /numberIsNotRepresentableInSwift\(parsed: "(.+)"\)/
    return "\(error)".wholeMatch(of: text).map { String($0.1) }
  }

  /// Where: `[3].user.login`; empty at the top.
  var place: String {
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
  /// This text of a server without line breaks and the controls that a terminal obeys.
  var inOneLine: String {
    let scalars = unicodeScalars.split { scalar in
      scalar.properties.isWhitespace && scalar != " "
        || scalar.properties.generalCategory == .control
    }
    return scalars.map { String($0) }.joined(separator: " ")
  }

  /// At most 160 characters of it, in one line.
  var shortened: String {
    let line = inOneLine
    return line.count <= 160 ? line : line.prefix(159) + "…"
  }
}
