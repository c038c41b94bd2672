import CurlewJSON
import Foundation
import HTTPTypes

extension Client.StatusFailure {
  /// The maximum number of bytes of an error's body that are kept: 64 KiB.
  static let keptBytes = 64 * 1024

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
}
