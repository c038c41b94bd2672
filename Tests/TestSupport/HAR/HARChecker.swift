// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Checks that a file is HAR 1.2, as strictly as the specification's schema, and as the import of Chrome's developer
/// tools, which throws for a missing field.
public struct HARChecker: Sendable {
  /// Errors in the file's structure, by path.
  public private(set) var problems: [String] = []
  /// Contradictions between the file's values.
  public private(set) var contradictions: [String] = []

  private typealias Check = @Sendable (inout HARChecker, JSONValue, String) -> Void

  public init(_ data: Data) {
    self.init((try? JSONValue(data)) ?? .null)
  }

  public init(_ file: JSONValue) {
    object(file, "", ["log": Self.log])
  }

  /// - Parameter optional: The optional members. Members that begin with `_` are custom fields.
  private mutating func object(
    _ value: JSONValue, _ path: String, _ members: [String: Check], optional: [String: Check] = [:]
  ) {
    guard case .object(let values) = value else { return problems.append("\(path): no object") }
    for (name, check) in members {
      let path = path.isEmpty ? name : "\(path).\(name)"
      if let value = values[name] {
        check(&self, value, path)
      } else {
        problems.append("\(path): missing")
      }
    }
    let optional = optional.merging(["comment": Self.text]) { $1 }
    for (name, value) in values where members[name] == nil && !name.hasPrefix("_") {
      if let check = optional[name] {
        check(&self, value, "\(path).\(name)")
      } else {
        problems.append("\(path).\(name): unknown")
      }
    }
  }

  private static func list(of check: @escaping Check) -> Check {
    { checker, value, path in
      guard case .list(let values) = value else {
        return checker.problems.append("\(path): no list")
      }
      for (index, value) in values.enumerated() { check(&checker, value, "\(path)[\(index)]") }
    }
  }

  private static let text: Check = { checker, value, path in
    if case .text = value { return }
    checker.problems.append("\(path): no text")
  }

  private static let bool: Check = { checker, value, path in
    if case .bool = value { return }
    checker.problems.append("\(path): neither true nor false")
  }

  private static func number(_ range: ClosedRange<Double>, isWhole: Bool = false) -> Check {
    { checker, value, path in
      guard case .number(let number) = value, range.contains(number),
        !isWhole || number == number.rounded()
      else { return checker.problems.append("\(path): not a number as it should be") }
    }
  }

  private static let size = number(-1...1e15, isWhole: true)
  private static let time = number(0...1e15)
  private static let optionalTime = number(-1...1e15)

  private static func text(_ isRight: @escaping @Sendable (String) -> Bool) -> Check {
    { checker, value, path in
      if case .text(let text) = value, isRight(text) { return }
      checker.problems.append("\(path): not a text as it should be")
    }
  }

  private static let date: Check = { checker, value, path in
    let pattern =
      /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)/
    guard case .text(let text) = value, let parts = text.wholeMatch(of: pattern)?.output,
      (1...12).contains(Int(parts.2) ?? 0), (1...31).contains(Int(parts.3) ?? 0),
      (0...23).contains(Int(parts.4) ?? -1), (0...59).contains(Int(parts.5) ?? -1),
      (0...60).contains(Int(parts.6) ?? -1)
    else { return checker.problems.append("\(path): not an ISO 8601 date with a time zone") }
  }
}

extension HARChecker {
  private static let log: Check = { checker, value, path in
    checker.object(
      value, path,
      ["version": text { $0 == "1.2" }, "creator": creator, "entries": list(of: entry)],
      optional: ["browser": creator, "pages": list(of: { _, _, _ in })])
  }

  private static let creator: Check = { checker, value, path in
    checker.object(value, path, ["name": text, "version": text])
  }

  private static let entry: Check = { checker, value, path in
    checker.object(
      value, path,
      [
        "startedDateTime": date, "time": time, "request": request, "response": response,
        "cache": { checker, value, path in
          checker.object(value, path, [:], optional: ["beforeRequest": { _, _, _ in }])
        },
        "timings": timings,
      ], optional: ["pageref": text, "serverIPAddress": text, "connection": text])
    checker.compare(value, path)
  }

  private static let request: Check = { checker, value, path in
    checker.object(
      value, path,
      [
        "method": text { !$0.isEmpty && !$0.contains(" ") }, "url": text { $0.contains("://") },
        "httpVersion": text,
        "cookies": list(of: cookie), "headers": list(of: pair), "queryString": list(of: pair),
        "headersSize": size, "bodySize": size,
      ], optional: ["postData": postData])
  }

  private static let response: Check = { checker, value, path in
    checker.object(
      value, path,
      [
        "status": number(0...599, isWhole: true), "statusText": text, "httpVersion": text,
        "cookies": list(of: cookie), "headers": list(of: pair), "content": content,
        "redirectURL": text, "headersSize": size, "bodySize": size,
      ])
  }

  private static let cookie: Check = { checker, value, path in
    checker.object(
      value, path, ["name": text, "value": text],
      optional: ["path": text, "domain": text, "expires": date, "httpOnly": bool, "secure": bool])
  }

  private static let pair: Check = { checker, value, path in
    checker.object(value, path, ["name": text, "value": text])
  }

  private static let postData: Check = { checker, value, path in
    checker.object(
      value, path, ["mimeType": text],
      optional: [
        "text": text,
        "params": list(of: { checker, value, path in
          checker.object(
            value, path, ["name": text],
            optional: ["value": text, "fileName": text, "contentType": text])
        }),
      ])
    if value[["text"]] != nil, case .list(let items)? = value[["params"]], !items.isEmpty {
      checker.problems.append("\(path): text and params")
    }
  }

  private static let content: Check = { checker, value, path in
    checker.object(
      value, path, ["size": size, "mimeType": text],
      optional: ["compression": size, "text": text, "encoding": text { $0 == "base64" }])
  }

  private static let timings: Check = { checker, value, path in
    checker.object(
      value, path, ["send": time, "wait": time, "receive": time],
      optional: [
        "blocked": optionalTime, "dns": optionalTime, "connect": optionalTime, "ssl": optionalTime,
      ])
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
