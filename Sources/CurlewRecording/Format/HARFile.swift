import Curlew
import Foundation
import HTTPTypes

/// The decoded parts of a HAR 1.2 file.
///
/// Values that replay does not need are decoded with ``Optionally``: an invalid value counts as missing.
struct HARFile: Decodable {
  let log: Log

  struct Log: Decodable {
    let version: Optionally<String>?
    let comment: Optionally<String>?
    let entries: [Entry]
  }

  struct Entry: Decodable {
    let request: Request
    let response: Response
    let startedDateTime: Optionally<String>?
    /// The milliseconds of each stage.
    let timings: Optionally<[String: Optionally<Double>]>?
    let comment: Optionally<String>?
  }

  struct Request: Decodable {
    let method: String
    let url: String
    let headers: [Header]?
    let postData: PostData?
    let bodySize: Optionally<Int>?
  }

  struct Response: Decodable {
    let status: Int
    let statusText: Optionally<String>?
    let httpVersion: Optionally<String>?
    let headers: [Header]?
    let content: Content?
    let redirectURL: String?
    /// Chrome's field for failed requests.
    let _error: Optionally<String>?
  }

  struct Header: Decodable {
    let name: String?
    let value: String?
  }

  struct PostData: Decodable {
    let text: String?
    /// `base64` for a binary body, which HAR 1.2 does not support.
    let _encoding: Optionally<String>?
  }

  struct Content: Decodable {
    let mimeType: String?
    let text: String?
    let encoding: String?
    let size: Optionally<Int>?
  }

  /// A value that is `nil` if it can't be decoded.
  struct Optionally<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }
}

extension HARFile.Entry {
  /// The reason why an entry with valid JSON is malformed.
  struct Malformed: Error {
    let reason: String
  }

  /// Returns the exchange; `nil` if there is no response to replay.
  func exchange() throws(Malformed) -> HAR.Entry? {
    guard let method = HTTPRequest.Method(rawValue: request.method) else {
      throw Malformed(reason: "its request.method \"\(request.method)\" is not a method")
    }
    guard let colon = request.url.firstIndex(of: ":"), colon != request.url.startIndex else {
      let url = request.url
      throw Malformed(
        reason: url.isEmpty ? "its request.url is empty" : "its request.url \"\(url)\" is not a URL"
      )
    }
    // Browsers also save data:, blob: and extension URLs, and status 0 for requests without a response.
    guard ["http", "https"].contains(request.url[..<colon].lowercased()), response.status > 0
    else { return nil }
    var entry = HAR.Entry(
      method, request.url, headerFields: HTTPFields(request.headers), body: request.postData?.body,
      response: try response.sample())
    entry.bodySize = Self.size(request.bodySize?.value, besides: entry.body ?? Data())
    entry.responseSize = Self.size(response.content?.size?.value, besides: entry.response.body)
    entry.httpVersion = response.httpVersion?.value.flatMap { Self.version($0) }
    entry.startedAt = startedDateTime?.value.flatMap { HARDate.date(from: $0) }
    let times = timings?.value ?? [:]
    entry.timings = HAR.Timings(
      blocked: Self.duration(times["blocked"]), connect: Self.duration(times["connect"]),
      send: Self.duration(times["send"]), wait: Self.duration(times["wait"]),
      receive: Self.duration(times["receive"]))
    entry.failure = response._error?.value.flatMap { $0.isEmpty ? nil : $0 }
    entry.comment = comment?.value
    return entry
  }

  /// Returns a number of milliseconds as a duration; `nil` for -1, which means unknown.
  private static func duration(_ milliseconds: HARFile.Optionally<Double>?) -> Duration? {
    guard let value = milliseconds?.value, (0...1e12).contains(value) else { return nil }
    return .microseconds(Int64((value * 1_000).rounded()))
  }

  /// Returns the body's full size if only a part was recorded.
  private static func size(_ size: Int?, besides body: Data) -> Int? {
    size.flatMap { $0 > body.count ? $0 : nil }
  }

  /// Returns `1.1` for `HTTP/1.1`, and `2` for `h2` and `http/2.0`.
  private static func version(_ text: String) -> String? {
    let name = text.lowercased()
    let number = name.trimmingPrefix(name.hasPrefix("http/") ? "http/" : "h")
    let isNumber = number.wholeMatch(of: /[0-9](\.[0-9])?/) != nil
    return isNumber ? String(["2.0", "3.0"].contains(number) ? number.prefix(1) : number) : nil
  }
}

extension HARFile.Response {
  fileprivate func sample() throws(HARFile.Entry.Malformed) -> Sample {
    guard 100...599 ~= status else {
      throw .init(reason: "its response.status \(status) is not an HTTP status")
    }
    var fields = HTTPFields(headers)
    if 300...399 ~= status, fields[.location] == nil, let redirectURL, !redirectURL.isEmpty {
      fields[.location] = redirectURL
    }
    return Sample(
      status: HTTPResponse.Status(code: status, reasonPhrase: statusText?.value ?? ""),
      headerFields: fields,
      body: try content?.body() ?? Data())
  }
}

extension HARFile.Content {
  fileprivate func body() throws(HARFile.Entry.Malformed) -> Data {
    guard let text else { return Data() }
    switch encoding?.lowercased() ?? "" {
    case "", "utf-8", "utf8":
      return Data(text.utf8)
    case "base64":
      guard let data = Data(base64Text: text) else {
        throw .init(reason: "its response.content.text is not valid base64")
      }
      return data
    case let other:
      throw .init(
        reason: "its response.content.encoding \"\(other)\" is not supported, only base64")
    }
  }
}

extension HARFile.PostData {
  fileprivate var body: Data? {
    guard let text, !text.isEmpty else { return nil }
    let data = _encoding?.value == "base64" ? Data(base64Text: text) : nil
    return data ?? Data(text.utf8)
  }
}

extension Data {
  /// Decodes base64 that may contain whitespace; returns `nil` if it is invalid.
  fileprivate init?(base64Text text: String) {
    self.init(base64Encoded: text.filter { !$0.isWhitespace })
  }
}

extension HTTPFields {
  /// Creates header fields from recorded headers, without HTTP/2 pseudo-header fields.
  fileprivate init(_ headers: [HARFile.Header]?) {
    self.init()
    for header in headers ?? [] {
      guard let name = header.name.flatMap({ HTTPField.Name($0) }) else { continue }
      // Firefox joins repeated fields with newlines.
      for value in (header.value ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
        append(HTTPField(name: name, value: value.trimmingCharacters(in: .whitespaces)))
      }
    }
  }
}
