import Curlew
import Foundation
import HTTPTypes

/// A HAR 1.2 file as it is written, with all fields that the specification demands.
struct HARDocument: Encodable {
  let log: Log

  struct Log: Encodable {
    let version = "1.2"
    let creator = Creator()
    let entries: [Entry]
    let comment: String?
  }

  struct Creator: Encodable {
    let name = "Curlew"
    let version = "1"
  }

  struct Entry: Encodable {
    let startedDateTime: String
    let time: Double
    let request: Request
    let response: Response
    let cache: [String: String] = [:]
    let timings: Timings
    let comment: String?
  }

  struct Request: Encodable {
    let method: String
    let url: String
    let httpVersion: String
    let cookies: [Cookie]
    let headers: [Pair]
    let queryString: [Pair]
    let postData: PostData?
    let headersSize = -1
    let bodySize: Int
  }

  struct Response: Encodable {
    let status: Int
    let statusText: String
    let httpVersion: String
    let cookies: [Cookie]
    let headers: [Pair]
    let content: Content
    let redirectURL: String
    let headersSize = -1
    /// The size on the wire, before the transport decoded the content coding, is not known.
    let bodySize = -1
    let _error: String?
  }

  struct Pair: Encodable {
    let name: String
    let value: String
  }

  struct Cookie: Encodable {
    let name: String
    let value: String
    var path: String?
    var domain: String?
    var expires: String?
    var secure: Bool?
  }

  struct PostData: Encodable {
    let mimeType: String
    let params: [Pair] = []
    let text: String
    let _encoding: String?
  }

  struct Content: Encodable {
    let size: Int
    let mimeType: String
    let text: String?
    let encoding: String?
  }

  /// Milliseconds; -1 for what is not known, which `send`, `wait` and `receive` may not be.
  struct Timings: Encodable {
    let blocked: Double
    let dns: Double = -1
    let connect: Double
    let send: Double
    let wait: Double
    let receive: Double
    let ssl: Double = -1
  }
}

extension HARDocument {
  init(_ har: HAR) {
    log = Log(entries: har.entries.map { Entry($0) }, comment: har.comment)
  }
}

extension HARDocument.Entry {
  init(_ entry: HAR.Entry) {
    let date = entry.startedAt ?? Date(timeIntervalSince1970: 0)
    startedDateTime = HARDate.text(of: date)
    timings = HARDocument.Timings(entry.timings)
    time = timings.total
    let version = entry.httpVersion.map { "HTTP/\($0)" } ?? "unknown"
    request = HARDocument.Request(entry, version)
    response = HARDocument.Response(entry, version, date)
    comment = entry.comment
  }
}

extension HARDocument.Timings {
  init(_ timings: HAR.Timings) {
    blocked = Self.milliseconds(timings.blocked) ?? -1
    connect = Self.milliseconds(timings.connect) ?? -1
    send = Self.milliseconds(timings.send) ?? 0
    wait = Self.milliseconds(timings.wait) ?? 0
    receive = Self.milliseconds(timings.receive) ?? 0
  }

  /// The sum of the times that are known, rounded as they are.
  var total: Double {
    let sum = [blocked, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
    return (sum * 1_000).rounded() / 1_000
  }

  /// Returns a duration in milliseconds, to the microsecond.
  private static func milliseconds(_ duration: Duration?) -> Double? {
    duration.map { min(max(0, $0 / .microseconds(1)), 1e15).rounded() / 1_000 }
  }
}

extension HARDocument.Request {
  init(_ entry: HAR.Entry, _ version: String) {
    method = entry.method.rawValue
    url = entry.url
    httpVersion = version
    cookies = entry.headerFields[values: .cookie].flatMap { HARDocument.cookies(in: $0) }
    headers = HARDocument.pairs(entry.headerFields)
    queryString = HARDocument.queryItems(of: entry.url)
    postData = entry.body.map { HARDocument.PostData($0, entry.headerFields[.contentType]) }
    bodySize = entry.bodySize ?? entry.body?.count ?? 0
  }
}

extension HARDocument.Response {
  init(_ entry: HAR.Entry, _ version: String, _ date: Date) {
    let response = entry.response
    status = response.status.code
    statusText = response.status.reasonPhrase
    httpVersion = version
    cookies = response.headerFields[values: .setCookie]
      .flatMap { SetCookie.values(in: $0) }.compactMap { HARDocument.Cookie($0, now: date) }
    headers = HARDocument.pairs(response.headerFields)
    content = HARDocument.Content(response, size: entry.responseSize)
    let isRedirect = 300...399 ~= status
    redirectURL = isRedirect ? response.headerFields[.location] ?? "" : ""
    _error = entry.failure
  }
}

extension HARDocument.Cookie {
  init?(_ field: String, now: Date) {
    guard let cookie = SetCookie(field, now: now) else { return nil }
    self.init(
      name: cookie.name, value: cookie.value, path: cookie.path, domain: cookie.domain,
      expires: cookie.expires.map { HARDate.text(of: $0) }, secure: cookie.isSecure)
  }
}

extension HARDocument.PostData {
  init(_ body: Data, _ contentType: String?) {
    let string = String(validating: body, as: UTF8.self)
    mimeType = contentType ?? HARDocument.unknownType
    text = string ?? body.base64EncodedString()
    _encoding = string == nil ? "base64" : nil
  }
}

extension HARDocument.Content {
  init(_ response: Sample, size: Int?) {
    let string = String(validating: response.body, as: UTF8.self)
    self.size = size ?? response.body.count
    mimeType = response.headerFields[.contentType] ?? HARDocument.unknownType
    text = string ?? response.body.base64EncodedString()
    encoding = string == nil ? "base64" : nil
  }
}

extension HARDocument {
  /// What browsers write for a missing `Content-Type`.
  fileprivate static let unknownType = "x-unknown"

  fileprivate static func pairs(_ fields: HTTPFields) -> [Pair] {
    fields.map { Pair(name: $0.name.rawName, value: $0.value) }
  }

  /// Returns the cookies of a `Cookie` field (RFC 6265 section 4.2); none of one that is masked.
  fileprivate static func cookies(in field: String) -> [Cookie] {
    field.split(separator: ";").compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return Cookie(
        name: pair[..<equals].trimmingCharacters(in: .whitespaces),
        value: String(pair[pair.index(after: equals)...]))
    }
  }

  fileprivate static func queryItems(of url: String) -> [Pair] {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    return query.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return Pair(name: decoded(name), value: decoded(item[name.endIndex...].dropFirst()))
    }
  }

  private static func decoded(_ text: Substring) -> String {
    String(decoding: PercentEncoding.decoded(text, plusIsSpace: true), as: UTF8.self)
  }
}
