import Curlew
import Foundation

extension CacheCase {
  /// A line or a part of `CacheCases.txt` that is not in its notation.
  struct MalformedText: Error {
    let text: Substring
  }

  /// Reads all cases of `CacheCases.txt`.
  static func all() throws -> [CacheCase] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "CacheCases.txt")
    var cases: [CacheCase] = []
    var reply: Substring = ""
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") {
      if !line.hasPrefix("  ") {
        cases.append(CacheCase(title: String(line)))
      } else if let index = cases.indices.last {
        try cases[index].add(exchange: line.dropFirst(2), &reply)
      } else {
        throw MalformedText(text: line)
      }
    }
    return cases
  }

  private init(title: String) {
    description = title
    usesHeuristics = !title.contains("(no heuristics)")
    if let seconds = title.firstMatch(of: /\(offline (\d+) s\)/).flatMap({ Int($0.1) }) {
      maximumOfflineStaleness = .seconds(seconds)
    }
  }

  /// Adds an exchange; `reply` is the text of the reply before it.
  private mutating func add(exchange text: Substring, _ reply: inout Substring) throws {
    let sides = text.split(separator: " => ")
    let messages = sides[0].split(separator: " <- ")
    var exchange = try Exchange(text: messages[0])
    for message in messages.dropFirst() {
      if message != "again" { reply = message }
      exchange.replies.append(try Reply(text: reply, number: exchanges.count + 1))
    }
    exchange.result = try Result(
      text: sides.count > 1 ? sides[1] : exchange.replies.isEmpty ? "hit" : "forwarded",
      bodies: (exchanges + [exchange]).map { $0.replies.last?.body ?? "" })
    exchanges.append(exchange)
  }
}

extension CacheCase.Exchange {
  fileprivate init(text: Substring) throws {
    for (index, part) in text.split(separator: " | ").enumerated() {
      if index == 0 {
        guard let match = part.wholeMatch(of: /(?:\+?(-?[\d.]+) s )?([A-Z-]+)(?: (\/.*))?/) else {
          throw CacheCase.MalformedText(text: part)
        }
        wait = match.1.flatMap { Double($0) } ?? 0
        method = String(match.2)
        path = match.3.map { String($0) } ?? path
      } else if let account = part.value(after: "account ") {
        self.account = account
      } else if let name = part.value(after: "sees no ") {
        seesNo.append(name)
      } else if part.hasPrefix("sees ") {
        try sees.add(part.dropFirst(5))
      } else {
        switch part {
        case "reload": mode = .reload
        case "cacheElseLoad": mode = .cacheElseLoad
        case "cacheOnly": mode = .cacheOnly
        default: try fields.add(part)
        }
      }
    }
  }
}

extension CacheCase.Reply {
  /// Reads a reply to the request with a number.
  fileprivate init(text: Substring, number: Int) throws {
    guard text != "disconnects" else {
      self.init(status: 500, body: "", disconnects: true)
      return
    }
    let parts = text.split(separator: " | ")
    guard let status = Int(parts[0]) else { throw CacheCase.MalformedText(text: text) }
    self.init(status: status, body: [204, 205, 304].contains(status) ? "" : "body \(number)")
    for part in parts.dropFirst() {
      if part == "no Date" {
        hasDate = false
      } else if let seconds = part.value(after: "delay ").flatMap({ Double($0) }) {
        delay = seconds
      } else if let body = part.body {
        self.body = body
      } else {
        try fields.add(part)
      }
    }
  }
}

extension CacheCase.Result {
  /// Reads a result; `bodies` are those of the replies so far, of which the last is to this request.
  fileprivate init(text: Substring, bodies: [String]) throws {
    let parts = text.split(separator: " | ")
    guard let outcome = Outcome(rawValue: String(parts[0])) else {
      throw CacheCase.MalformedText(text: text)
    }
    self.init(outcome: outcome)
    body = (outcome == .forwarded ? bodies.last : bodies.first) ?? ""
    for part in parts.dropFirst() {
      if let name = part.value(after: "lacks ") {
        lacks.append(name)
      } else if let age = part.value(after: "age ").flatMap({ Int($0) }) {
        self.age = age
      } else if let status = part.value(after: "status ").flatMap({ Int($0) }) {
        self.status = status
      } else if let number = part.value(after: "body of ").flatMap({ Int($0) }) {
        body = bodies[number - 1]
      } else if let body = part.body {
        self.body = body
      } else {
        try fields.add(part)
      }
    }
  }
}

extension CacheCase.Fields {
  /// Adds a field: `Name: value`.
  fileprivate mutating func add(_ part: Substring) throws {
    guard let match = part.wholeMatch(of: /([^ :]+): ?(.*)/) else {
      throw CacheCase.MalformedText(text: part)
    }
    lines.append((String(match.1), String(match.2)))
  }
}

extension Substring {
  fileprivate func value(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  /// The text of `body "text"`.
  fileprivate var body: String? {
    wholeMatch(of: /body "(.*)"/).map { String($0.1) }
  }
}
