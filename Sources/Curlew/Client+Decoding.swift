import Foundation
import HTTPTypes

extension Client.DecodingFailure {
  /// Says where in an answer something else was found than its endpoint expects.
  init(_ error: any Error, decoding type: Any.Type, from data: Data, of request: OutgoingRequest) {
    var path: [any CodingKey] = []
    let reason: String
    switch error {
    case DecodingError.typeMismatch(let expected, let context):
      path = context.codingPath
      reason = "expected \(expected). \(context.debugDescription)"
    case DecodingError.valueNotFound(let expected, let context):
      path = context.codingPath
      reason = "expected \(expected), found null or nothing."
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath
      reason = "the key \"\(key.stringValue)\" is missing."
    case DecodingError.dataCorrupted(let context):
      path = context.codingPath
      reason = data.isEmpty ? "the body is empty." : context.debugDescription
    default:
      reason = "\(error)"
    }
    let redact = { (text: String) in request.redaction.redacting(text, secretsOf: request.head) }
    self.init(
      request: request.description,
      type: "\(type)",
      codingPath: Self.text(of: path),
      reason: redact(reason),
      excerpt: Self.short(redact(Self.excerpt(of: data, at: path))))
  }

  /// `[3].user.login`.
  private static func text(of path: [any CodingKey]) -> String {
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

  /// The JSON at a path, or as near to it as the JSON goes.
  private static func excerpt(of data: Data, at path: [any CodingKey]) -> String {
    guard var place = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return String(decoding: data.prefix(4_096), as: UTF8.self) }
    for key in path {
      if let object = place as? [String: Any], let next = object[key.stringValue] {
        place = next
      } else if let array = place as? [Any], let index = key.intValue, array.indices ~= index {
        place = array[index]
      } else {
        break
      }
    }
    let json = try? JSONSerialization.data(
      withJSONObject: place, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "\(place)"
  }

  /// At most 160 characters in one line.
  private static func short(_ text: String) -> String {
    let line = text.inOneLine
    return line.count <= 160 ? line : line.prefix(159) + "…"
  }
}

extension Client.StatusFailure {
  /// How much of an error's body is kept: 64 KiB.
  static let keptBytes = 64 * 1024

  /// Keeps what may be shown of an answer that is an error.
  init(_ head: HTTPResponse, body: Data, of request: OutgoingRequest) {
    var response = head
    response.headerFields = request.redaction.redacting(
      head.headerFields, secretsOf: request.head)
    let body = request.redaction.redacting(body, secretsOf: request.head).prefix(Self.keptBytes)
    let message = Self.message(in: body).map {
      // JSON can write a secret in many ways; its text shows it as it is.
      request.redaction.redacting($0, secretsOf: request.head).inOneLine.prefix(500)
    }
    self.init(
      request: request.description, response: response, body: body,
      message: message.flatMap { $0.isEmpty ? nil : String($0) })
  }

  /// What an API says went wrong: GitHub's `message`, TMDB's `status_message`, OAuth's
  /// `error_description` and `error`, RFC 9457's `detail` and `title`, or the first of `errors`.
  private static func message(in body: Data) -> String? {
    (try? JSONSerialization.jsonObject(with: body)).flatMap { message(in: $0) }
  }

  private static func message(in json: Any, depth: Int = 0) -> String? {
    guard depth < 4 else { return nil }
    if let text = json as? String { return text }
    if let list = json as? [Any] { return list.first.flatMap { message(in: $0, depth: depth + 1) } }
    guard let object = json as? [String: Any] else { return nil }
    for key in ["message", "status_message", "detail", "error_description", "title"] {
      if let text = object[key] as? String, !text.isEmpty { return text }
    }
    for key in ["error", "errors"] {
      if let text = object[key].flatMap({ message(in: $0, depth: depth + 1) }) { return text }
    }
    return nil
  }
}

extension String {
  /// This text of a server without line breaks and the controls that a terminal obeys.
  fileprivate var inOneLine: String {
    let scalars = unicodeScalars.split { scalar in
      scalar.properties.isWhitespace && scalar != " "
        || scalar.properties.generalCategory == .control
    }
    return scalars.map { String($0) }.joined(separator: " ")
  }
}
