import Curlew
import Foundation
import HTTPTypes

/// A JSON value of a HAR 1.2 file, for writing.
enum HARDocument: Encodable {
  case text(String)
  case integer(Int)
  case number(Double)
  case list([HARDocument])
  case object([String: HARDocument])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
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

/// Contains all fields that the specification requires.
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
      "request": request(entry, version), "response": response(entry, version),
      "cache": .object([:]), "comment": entry.comment.map { .text($0) },
    ])
  }

  /// Returns the timings in milliseconds, rounded to microseconds, and the sum of the rounded values.
  ///
  /// Unknown stages are -1, except `send`, `wait` and `receive`, which are required.
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
      // Readers can parse cookies from the header fields.
      "cookies": .list([]),
      "headers": headers(entry.headerFields), "queryString": .list(queryItems(of: entry.url)),
      "postData": body, "headersSize": .integer(-1),
      "bodySize": .integer(entry.bodySize ?? entry.body?.count ?? 0),
    ])
  }

  private static func response(_ entry: HAR.Entry, _ version: HARDocument) -> HARDocument {
    let (response, fields) = (entry.response, entry.response.headerFields)
    let (text, encoding) = text(of: response.body)
    let content = members([
      "size": .integer(entry.responseSize ?? response.body.count),
      "mimeType": contentType(fields), "text": text, "encoding": encoding,
    ])
    let location = 300...399 ~= response.status.code ? fields[.location] : nil
    return members([
      "status": .integer(response.status.code), "statusText": .text(response.status.reasonPhrase),
      "httpVersion": version, "cookies": .list([]),
      "headers": headers(fields), "content": content, "redirectURL": .text(location ?? ""),
      // The size on the wire, before content decoding, is unknown.
      "headersSize": .integer(-1), "bodySize": .integer(-1),
      "_error": entry.failure.map { .text($0) },
    ])
  }

  /// Returns a body as text, or as base64 with the name of the encoding.
  private static func text(of body: Data) -> (HARDocument, encoding: HARDocument?) {
    String(validating: body, as: UTF8.self).map { (.text($0), nil) }
      ?? (.text(body.base64EncodedString()), .text("base64"))
  }

  /// Returns the media type, or the browsers' placeholder for a missing `Content-Type`.
  private static func contentType(_ fields: HTTPFields) -> HARDocument {
    .text(fields[.contentType] ?? "x-unknown")
  }

  private static func headers(_ fields: HTTPFields) -> HARDocument {
    .list(fields.map { pair($0.name.rawName, $0.value) })
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
