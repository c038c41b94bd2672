import Curlew
import Foundation
import HTTPTypes

/// A part of a HAR 1.2 file as it is written.
enum HARDocument: Encodable {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([HARDocument])
  case object([String: HARDocument])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .list(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }

  private static func members(_ members: [String: HARDocument?]) -> HARDocument {
    .object(members.compactMapValues { $0 })
  }

  private static func pair(_ name: String, _ value: String) -> HARDocument {
    .object(["name": .text(name), "value": .text(value)])
  }
}

/// All fields that the specification demands.
extension HARDocument {
  init(_ har: HAR) {
    let log = Self.members([
      "version": .text("1.2"),
      "creator": .object(["name": .text("Curlew"), "version": .text("1")]),
      "entries": .list(har.entries.map { Self.entry($0) }),
      "comment": har.comment.map { .text($0) },
    ])
    self = .object(["log": log])
  }

  private static func entry(_ entry: HAR.Entry) -> HARDocument {
    let date = entry.startedAt ?? Date(timeIntervalSince1970: 0)
    let version = HARDocument.text(entry.httpVersion.map { "HTTP/\($0)" } ?? "unknown")
    let (timings, time) = timings(entry.timings)
    return members([
      "startedDateTime": .text(HARDate.text(of: date)), "time": .number(time), "timings": timings,
      "request": request(entry, version), "response": response(entry, version, date),
      "cache": .object([:]), "comment": entry.comment.map { .text($0) },
    ])
  }

  /// Returns times in milliseconds, to the microsecond, and their sum, rounded as they are; -1 is for what is
  /// not known, which `send`, `wait` and `receive` may not be.
  private static func timings(_ timings: HAR.Timings) -> (HARDocument, total: Double) {
    func milliseconds(_ duration: Duration?, or unknown: Double) -> Double {
      duration.map { min(max(0, $0 / .microseconds(1)), 1e15).rounded() / 1_000 } ?? unknown
    }
    let times = [
      "blocked": milliseconds(timings.blocked, or: -1), "dns": -1, "ssl": -1,
      "connect": milliseconds(timings.connect, or: -1), "send": milliseconds(timings.send, or: 0),
      "wait": milliseconds(timings.wait, or: 0), "receive": milliseconds(timings.receive, or: 0),
    ]
    let sum = times.sorted { $0.key < $1.key }.reduce(0) { $0 + max(0, $1.value) }
    return (.object(times.mapValues { .number($0) }), (sum * 1_000).rounded() / 1_000)
  }

  private static func request(_ entry: HAR.Entry, _ version: HARDocument) -> HARDocument {
    let body = entry.body.map { body in
      let (text, encoding) = text(of: body)
      return members([
        "mimeType": contentType(entry.headerFields), "params": .list([]), "text": text,
        "_encoding": encoding,
      ])
    }
    return members([
      "method": .text(entry.method.rawValue), "url": .text(entry.url), "httpVersion": version,
      "cookies": .list(entry.headerFields[values: .cookie].flatMap { cookies(in: $0) }),
      "headers": headers(entry.headerFields), "queryString": .list(queryItems(of: entry.url)),
      "postData": body, "headersSize": .integer(-1),
      "bodySize": .integer(entry.bodySize ?? entry.body?.count ?? 0),
    ])
  }

  private static func response(
    _ entry: HAR.Entry, _ version: HARDocument, _ date: Date
  ) -> HARDocument {
    let (response, fields) = (entry.response, entry.response.headerFields)
    let (text, encoding) = text(of: response.body)
    let content = members([
      "size": .integer(entry.responseSize ?? response.body.count),
      "mimeType": contentType(fields), "text": text, "encoding": encoding,
    ])
    let cookies = fields[values: .setCookie].flatMap { SetCookie.values(in: $0) }
    let location = 300...399 ~= response.status.code ? fields[.location] : nil
    return members([
      "status": .integer(response.status.code), "statusText": .text(response.status.reasonPhrase),
      "httpVersion": version, "cookies": .list(cookies.compactMap { cookie($0, now: date) }),
      "headers": headers(fields), "content": content, "redirectURL": .text(location ?? ""),
      // The size on the wire, before the transport decoded the content coding, is not known.
      "headersSize": .integer(-1), "bodySize": .integer(-1),
      "_error": entry.failure.map { .text($0) },
    ])
  }

  /// Returns a body as text, or as base64 with the name of that encoding.
  private static func text(of body: Data) -> (HARDocument, encoding: HARDocument?) {
    String(validating: body, as: UTF8.self).map { (.text($0), nil) }
      ?? (.text(body.base64EncodedString()), .text("base64"))
  }

  /// Returns the media type, or what browsers write for a missing `Content-Type`.
  private static func contentType(_ fields: HTTPFields) -> HARDocument {
    .text(fields[.contentType] ?? "x-unknown")
  }

  private static func headers(_ fields: HTTPFields) -> HARDocument {
    .list(fields.map { pair($0.name.rawName, $0.value) })
  }

  /// Returns the cookies of a `Cookie` field (RFC 6265 section 4.2); none of one that is masked.
  private static func cookies(in field: String) -> [HARDocument] {
    field.split(separator: ";").compactMap { item in
      guard let equals = item.firstIndex(of: "=") else { return nil }
      return pair(
        item[..<equals].trimmingCharacters(in: .whitespaces),
        String(item[item.index(after: equals)...]))
    }
  }

  private static func cookie(_ field: String, now: Date) -> HARDocument? {
    SetCookie(field, now: now).map { cookie in
      members([
        "name": .text(cookie.name), "value": .text(cookie.value),
        "path": cookie.path.map { .text($0) }, "domain": cookie.domain.map { .text($0) },
        "expires": cookie.expires.map { .text(HARDate.text(of: $0)) },
        "secure": .flag(cookie.isSecure),
      ])
    }
  }

  private static func queryItems(of url: String) -> [HARDocument] {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    return query.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return pair(decoded(name), decoded(item[name.endIndex...].dropFirst()))
    }
  }

  private static func decoded(_ text: Substring) -> String {
    String(decoding: PercentEncoding.decoded(text, plusIsSpace: true), as: UTF8.self)
  }
}
