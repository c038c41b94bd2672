import CurlewJSON
import Foundation
import HTTPTypes

extension Client.DecodingFailure {
  /// The number of bytes before and after a fault in which secrets are masked.
  private static let searched = 64 * 1024

  /// Creates a failure from a decoder's error, with the coding path and an excerpt.
  ///
  /// - Parameter line: The line's number, if the data is one line of a response.
  init<Value>(
    _ error: any Error, _ decoding: ResponseDecoding<Value>, from data: Data,
    in response: HTTPResponse, of request: OutgoingRequest, _ decoder: JSONDecoder,
    line: Int? = nil
  ) {
    var problem = DecodingProblem(error, isEmpty: data.isEmpty)
    var kind = Kind.unexpected
    let redact = { (text: String) in request.redaction.redacting(text, secretsOf: request.head) }
    var excerpt: String?
    if decoding.isJSON, data.isWebPage(saying: response) {
      (kind, problem) = (.webPage, .webPage)
    } else if decoding.isJSON, !data.isEmpty {
      problem = decoding.detailedProblem(in: data, response, decoder) ?? problem
      let text = problem.fault == nil ? [] : JSONFault.utf8(data)
      if let fault = problem.fault, fault.length == text.count {
        kind = .malformed
        problem = DecodingProblem(fault, in: text, line: line)
        excerpt = Self.excerpt(of: text, around: fault.offset, redact)
      }
    }
    self.init(
      request: request.description,
      type: "\(Value.self)",
      codingPath: redact(problem.codingPath).inOneLine,
      reason: redact(problem.reason).inOneLine,
      excerpt: excerpt ?? redact(Self.excerpt(of: data, at: problem.path)).shortened,
      kind: kind, line: line)
  }

  /// Returns the text around a fault, without secrets; an empty text if a secret spans the fault.
  private static func excerpt(
    of bytes: [UInt8], around offset: Int, _ redact: (String) -> String
  ) -> String {
    // Secrets are masked before the text is cut, so that no part of a secret is left.
    let before = String(decoding: bytes[max(0, offset - searched)..<offset], as: UTF8.self)
    let after = String(
      decoding: bytes[offset..<min(bytes.count, offset + searched)], as: UTF8.self)
    let (left, right) = (redact(before), redact(after))
    guard redact(before + after) == left + right else { return "" }
    let (end, start) = (left.suffix(79), right.prefix(79))
    return (end.count < left.count ? "…" : "") + "\(end)\(start)".inOneLine
      + (start.count < right.count ? "…" : "")
  }

  /// Returns the JSON at a coding path, or at its longest existing prefix.
  private static func excerpt(of data: Data, at path: [any CodingKey]) -> String {
    guard var value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return String(decoding: data.prefix(4_096), as: UTF8.self) }
    for key in path {
      if let object = value as? [String: Any], let next = object[key.stringValue] {
        value = next
      } else if let array = value as? [Any], let index = key.intValue, array.indices ~= index {
        value = array[index]
      } else {
        break
      }
    }
    let json = try? JSONSerialization.data(
      withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }
}

extension ResponseDecoding {
  /// Returns the problem as `FastJSONDecoder` reports it; `nil` if it has reported it already.
  ///
  /// Foundation's decoder reports neither the position of malformed JSON nor the coding path of a number that does not fit.
  fileprivate func detailedProblem(
    in data: Data, _ response: HTTPResponse, _ decoder: JSONDecoder
  ) -> DecodingProblem? {
    if decoder is FastJSONDecoder, !decoder.allowsJSON5 { return nil }
    do {
      _ = try decode(data, response, FastJSONDecoder(strategiesOf: decoder))
      return nil
    } catch {
      let problem = DecodingProblem(error)
      return decoder.allowsJSON5 && problem.fault != nil ? nil : problem
    }
  }
}

extension Data {
  /// Returns whether the body is a web page: it begins like HTML, or its content type is HTML and it does not
  /// begin like JSON.
  fileprivate func isWebPage(saying response: HTTPResponse) -> Bool {
    let type = response.headerFields.mediaType
    if type?.subtype == "html" || type?.subtype == "xhtml+xml" {
      return first.map { !"{[".utf8.contains($0) } ?? false
    }
    let text = String(decoding: prefix(1_024), as: UTF8.self).lowercased()
      .replacing(/<!--(?s:.*?)-->|<\?xml[^>]*>/, with: "")
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return ["!doctype html", "html", "head", "body", "script", "meta", "title", "style"]
      .contains { text.hasPrefix("<\($0)") }
  }
}

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
