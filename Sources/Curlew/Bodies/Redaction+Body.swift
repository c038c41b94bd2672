import CurlewJSON
public import Foundation
import HTTPTypes

extension Redaction {
  /// The names of secret members in JSON.
  ///
  /// `key` is not included: members with this name are seldom secret, such as a license's or an issue's key.
  var memberNames: Set<String> { queryItems.subtracting(["key"]) }

  /// Returns the body of a request or a response with secret values masked: the secrets of the request, and
  /// the values of members with secret names (``queryItems``) in forms and in JSON.
  ///
  /// All other bytes are unchanged, also if the body does not match its content type.
  public func redacting(
    body: Data, contentType: String?, secretsOf request: HTTPRequest
  ) -> Data {
    redacting(maskingNamedValues(in: body, contentType: contentType).body, secretsOf: request)
  }

  /// Returns a body with the values of secret names masked in forms and in (even malformed) JSON, and the
  /// masked values.
  package func maskingNamedValues(
    in body: Data, contentType: String?
  ) -> (body: Data, values: Set<String>) {
    let type = contentType.flatMap { MediaType($0) }
    return type?.type == "multipart"
      ? maskingParts(of: body, type) : maskingNamedValues(in: body, type)
  }

  private func maskingNamedValues(
    in body: Data, _ type: MediaType?
  ) -> (body: Data, values: Set<String>) {
    if type?.subtype == "x-www-form-urlencoded" { return maskingFields(of: body) }
    guard let isJSONLines = Self.hasJSONLines(body, type) else { return (body, []) }
    return JSONMask(body, isJSONLines: isJSONLines, secretNames: memberNames).masked()
  }

  /// Returns whether each line of a body is a separate JSON text; `nil` for a body that is not JSON.
  private static func hasJSONLines(_ body: Data, _ type: MediaType?) -> Bool? {
    let lines = ["jsonl", "jsonlines", "x-jsonlines", "ndjson", "x-ndjson", "event-stream"]
    if let type, type.isJSON { return false }
    if let type, lines.contains(type.subtype) { return true }
    // Servers send JSON as plain text, too.
    guard type == nil || type?.type == "text" && type?.subtype == "plain" else { return nil }
    let start = body.prefix(1024).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    return start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[") ? false : nil
  }

  private func maskingFields(of form: Data) -> (body: Data, values: Set<String>) {
    var (result, values) = (Data(), Set<String>())
    let fields = form.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    for (number, field) in fields.enumerated() {
      if number > 0 { result.append(UInt8(ascii: "&")) }
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      if name.count < field.count, queryItems.contains(Self.decoded(name).lowercased()) {
        result += field.prefix(name.count + 1) + Data(Self.mask.utf8)
        values.insert(Self.decoded(field.dropFirst(name.count + 1)))
      } else {
        result += field
      }
    }
    return (result, values)
  }

  private static func decoded(_ text: Data) -> String {
    let text = String(decoding: text, as: UTF8.self)[...]
    return String(decoding: PercentEncoding.decoded(text, plusIsSpace: true), as: UTF8.self)
  }

  /// Masks the parts of a form (RFC 7578): parts with secret names as a whole, and the secrets within other
  /// parts.
  private func maskingParts(of form: Data, _ type: MediaType?) -> (body: Data, values: Set<String>)
  {
    let bytes = [UInt8](form)
    var (result, values, copied) = (Data(), Set<String>(), 0)
    for (fields, content) in Self.parts(of: bytes, type) {
      result += bytes[copied..<content.lowerBound]
      let masked: (body: Data, values: Set<String>) =
        isSecretPart(fields)
        ? (Data(Self.mask.utf8), [String(decoding: bytes[content], as: UTF8.self)])
        : maskingNamedValues(in: Data(bytes[content]), Self.type(of: fields))
      result += masked.body
      values.formUnion(masked.values)
      copied = content.upperBound
    }
    return (result + bytes[copied...], values)
  }

  /// Returns the header fields of each part of a form, and the byte range of its content.
  private static func parts(
    of form: [UInt8], _ type: MediaType?
  ) -> [(fields: String, content: Range<Int>)] {
    // RFC 2046 section 5.1.1: at most 70 characters.
    let boundary = type?.parameters["boundary"] ?? ""
    guard (1...70).contains(boundary.utf8.count) else { return [] }
    let delimiter = Array("--\(boundary)".utf8)
    var parts: [(fields: String, content: Range<Int>)] = []
    var next = form.index(of: delimiter, from: 0)
    while let start = next.map({ $0 + delimiter.count }) {
      next = form.index(of: delimiter, from: start)
      var end = next ?? form.count
      // The line break before a delimiter is part of the delimiter.
      if next != nil, form[start..<end].suffix(2).elementsEqual("\r\n".utf8) { end -= 2 }
      guard let blank = form.index(of: Array("\r\n\r\n".utf8), from: start, to: end) else {
        continue
      }
      parts.append((String(decoding: form[start..<blank], as: UTF8.self), blank + 4..<end))
    }
    return parts
  }

  private func isSecretPart(_ fields: String) -> Bool {
    guard let name = fields.firstMatch(of: /(?i)[; ]name="?([^";\r\n]*)/)?.output.1 else {
      return false
    }
    return queryItems.contains(name.lowercased())
  }

  /// Returns the media type of a part; `nil` if its header fields contain none.
  private static func type(of fields: String) -> MediaType? {
    let type = fields.firstMatch(of: /(?i)\ncontent-type:([^\r\n]*)/)?.output.1
    return type.flatMap { MediaType(String($0)) }
  }
}

extension [UInt8] {
  /// Returns the index of the first occurrence of some bytes that ends at or before `end`.
  fileprivate func index(of bytes: [UInt8], from start: Int, to end: Int? = nil) -> Int? {
    let last = (end ?? count) - bytes.count
    var index = start
    while index <= last {
      if self[index] == bytes[0], self[index..<index + bytes.count].elementsEqual(bytes) {
        return index
      }
      index += 1
    }
    return nil
  }
}
