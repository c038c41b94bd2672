import CurlewJSON
import Foundation
import HTTPTypes

extension Client.StatusFailure {
  /// The maximum number of bytes of an error's body that are kept: 64 KiB.
  package static let keptBytes = 64 * 1024

  /// Creates a failure from an error response, with secrets masked.
  init(
    _ head: HTTPResponse, body: Data, of request: OutgoingRequest,
    decodedAs type: ErrorBody?, by decoder: JSONDecoder
  ) {
    var response = head
    response.headerFields = request.redaction.redacting(
      head.headerFields, secretsOf: request.head)
    response.status = HTTPResponse.Status(
      code: head.status.code,
      reasonPhrase: request.redaction.redacting(
        head.status.reasonPhrase, secretsOf: request.head))
    let body = request.redaction.redacting(body, secretsOf: request.head).prefix(Self.keptBytes)
    let message = Self.message(in: body).map {
      // JSON can escape a secret in many ways, so the decoded text is masked as well.
      request.redaction.redacting($0, secretsOf: request.head).inOneLine.prefix(500)
    }
    self.init(
      request: request.description, response: response, body: body,
      message: message.flatMap { $0.isEmpty ? nil : String($0) },
      value: Uncompared(base: type.flatMap { try? decoder.decodeSafely($0, from: body) }))
  }

  /// Returns the API's error message: GitHub's `message`, TMDB's `status_message`, OAuth's
  /// `error_description` and `error`, RFC 9457's `detail` and `title`, or the first of `errors`.
  static func message(in body: Data) -> String? {
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
