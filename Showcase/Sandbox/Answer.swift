import HTTPTypes
import Hummingbird
import NIOCore

/// What a look-alike answers.
struct Answer: Sendable {
  var status: HTTPResponse.Status
  var headers = HTTPFields()
  var body = ByteBuffer()

  /// Creates an answer of JSON.
  static func json(_ bytes: ByteBuffer, status: HTTPResponse.Status = .ok) -> Answer {
    Answer(
      status: status, headers: [.contentType: "application/json; charset=utf-8"], body: bytes)
  }

  /// Creates an answer of JSON.
  static func json(_ value: JSON, status: HTTPResponse.Status = .ok) -> Answer {
    json(ByteBuffer(bytes: value.bytes), status: status)
  }

  /// Adds the weak entity tag of a content (RFC 9110, 8.8.3).
  func tagged(_ fingerprint: Fingerprint) -> Answer {
    var answer = self
    answer.headers[.eTag] = "W/\"\(fingerprint.hexadecimal)\""
    return answer
  }

  /// Turns a success that the client has already into a 304 without a body (RFC 9110, 13.1.2).
  func revalidated(against condition: String?) -> Answer {
    guard status == .ok, let condition, let tag = headers[.eTag] else { return self }
    let known = condition.split(separator: ",").map { Self.opaque($0) }
    guard known.contains(Self.opaque(tag[...])) || known == ["*"] else { return self }
    var answer = self
    answer.status = .notModified
    answer.headers[.contentType] = nil
    answer.body = ByteBuffer()
    return answer
  }

  /// Strips the weakness mark, because `If-None-Match` compares weakly.
  private static func opaque(_ tag: Substring) -> Substring {
    let tag = tag.drop { $0 == " " || $0 == "\t" }
    let end = tag.lastIndex { $0 != " " && $0 != "\t" }
    let trimmed = end.map { tag[...$0] } ?? ""
    return trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
  }

  func response(to method: HTTPRequest.Method) -> Response {
    var response = Response(status: status, headers: headers, body: .init(byteBuffer: body))
    if method == .head { response = response.createHeadResponse() }
    // A 304 describes the answer that it spares, whose length is not 0.
    if status == .notModified { response.headers[.contentLength] = nil }
    return response
  }
}
