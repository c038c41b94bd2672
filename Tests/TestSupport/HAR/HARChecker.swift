// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Checks that a file is HAR 1.2, as strictly as the specification's schema, and as the import of Chrome's developer
/// tools, which throws for a missing field.
public struct HARChecker: Sendable {
  /// Errors in the file's structure, by path.
  public private(set) var problems: [String] = []
  /// Contradictions between the file's values.
  public private(set) var contradictions: [String] = []

  public init(_ data: Data) {
    self.init((try? JSONValue(data)) ?? .null)
  }

  public init(_ file: JSONValue) { check(file, "", is: "file") }

  /// The members of objects with their types, of which `?` marks the optional ones.
  ///
  /// Each object may have a comment, and custom members that begin with `_`.
  private static let objects: [Substring: String] = [
    "file": "log: log",
    "log": "version: 1.2, creator: creator, entries: [entry], browser?: creator, pages?: [any]",
    "creator": "name: text, version: text",
    "entry": """
    startedDateTime: date, time: time, request: request, response: response, cache: cache, timings: timings, \
    pageref?: text, serverIPAddress?: text, connection?: text
    """,
    "cache": "beforeRequest?: any",
    "request": """
    method: method, url: url, httpVersion: text, cookies: [cookie], headers: [pair], queryString: [pair], \
    headersSize: size, bodySize: size, postData?: postData
    """,
    "response": """
    status: status, statusText: text, httpVersion: text, cookies: [cookie], headers: [pair], content: content, \
    redirectURL: text, headersSize: size, bodySize: size
    """,
    "cookie": """
    name: text, value: text, path?: text, domain?: text, expires?: date, httpOnly?: bool, secure?: bool
    """,
    "pair": "name: text, value: text",
    "postData": "mimeType: text, text?: text, params?: [param]",
    "param": "name: text, value?: text, fileName?: text, contentType?: text",
    "content": "size: size, mimeType: text, compression?: size, text?: text, encoding?: base64",
    "timings": """
    send: time, wait: time, receive: time, blocked?: optionalTime, dns?: optionalTime, connect?: optionalTime, \
    ssl?: optionalTime
    """,
  ]

  private mutating func check(_ value: JSONValue, _ path: String, is type: Substring) {
    if type.hasPrefix("[") {
      guard case .list(let values) = value else { return problems.append("\(path): no list") }
      for (index, value) in values.enumerated() {
        check(value, "\(path)[\(index)]", is: type.dropFirst().dropLast())
      }
    } else if let members = Self.objects[type] {
      guard case .object(let values) = value else { return problems.append("\(path): no object") }
      check(values, path, members: members)
      if type == "entry" { compare(value, path) }
      if type == "postData", values["text"] != nil, case .list(let items)? = values["params"],
        !items.isEmpty
      {
        problems.append("\(path): text and params")
      }
    } else if !Self.isRight(value, type) {
      problems.append("\(path): no \(type)")
    }
  }

  private mutating func check(_ values: [String: JSONValue], _ path: String, members: String) {
    var unknown = Set(values.keys.filter { !$0.hasPrefix("_") })
    for member in (members + ", comment?: text").split(separator: ", ") {
      let parts = member.split(separator: ": ")
      let (name, isOptional) = (parts[0].prefix { $0 != "?" }, parts[0].hasSuffix("?"))
      let path = path.isEmpty ? String(name) : "\(path).\(name)"
      unknown.remove(String(name))
      if let value = values[String(name)] {
        check(value, path, is: parts[1])
      } else if !isOptional {
        problems.append("\(path): missing")
      }
    }
    for name in unknown.sorted() { problems.append("\(path).\(name): unknown") }
  }

  private static func isRight(_ value: JSONValue, _ type: Substring) -> Bool {
    switch (type, value) {
    case ("any", _), ("text", .text), ("bool", .bool): true
    case ("1.2", .text(let text)), ("base64", .text(let text)): text == type
    case ("method", .text(let text)): !text.isEmpty && !text.contains(" ")
    case ("url", .text(let text)): text.contains("://")
    case ("date", .text(let text)): isDate(text)
    case ("time", .number(let number)): 0...1e15 ~= number
    case ("optionalTime", .number(let number)): -1...1e15 ~= number
    case ("size", .number(let number)): -1...1e15 ~= number && number == number.rounded()
    case ("status", .number(let number)): 0...599 ~= number && number == number.rounded()
    default: false
    }
  }

  /// Whether a text is an ISO 8601 date with a time zone.
  private static func isDate(_ text: String) -> Bool {
    let pattern = /\d{4}-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/
    guard let parts = text.wholeMatch(of: pattern)?.output else { return false }
    let numbers = [parts.1, parts.2, parts.3, parts.4, parts.5].map { Int($0) ?? -1 }
    return zip(numbers, [1...12, 1...31, 0...23, 0...59, 0...60]).allSatisfy { $1 ~= $0 }
  }

  /// Finds contradictions in an entry.
  private mutating func compare(_ entry: JSONValue, _ path: String) {
    let content = Array(["response", "content", "text"])
    if case .text(let text)? = entry[content[...]] {
      let isBase64 = entry[["response", "content", "encoding"]] == .text("base64")
      let body = isBase64 ? Data(base64Encoded: text) : Data(text.utf8)
      let isCut = entry[["comment"]] != nil
      if case .number(let size)? = entry[["response", "content", "size"]], let body {
        if Double(body.count) > size || !isCut && Double(body.count) < size {
          contradictions.append("\(path): size")
        }
      } else {
        contradictions.append("\(path): base64")
      }
    }
    let stages = ["blocked", "dns", "connect", "send", "wait", "receive"]
    let sum = stages.reduce(0.0) { sum, stage in
      if case .number(let time)? = entry[["timings", stage]], time > 0 { sum + time } else { sum }
    }
    if case .number(let time)? = entry[["time"]], abs(time - sum) > 0.001 {
      contradictions.append("\(path): time")
    }
    if case .text(let url)? = entry[["request", "url"]],
      case .list(let items)? = entry[["request", "queryString"]],
      URLComponents(string: url)?.queryItems?.count ?? 0 != items.count
    {
      contradictions.append("\(path): queryString")
    }
    if entry[["response", "status"]] == .number(0), entry[["response", "_error"]] == nil,
      entry[["comment"]] == nil
    {
      contradictions.append("\(path): no response, and no reason")
    }
  }
}
