import Foundation
import Sandbox
import Testing

/// The paragraphs of `Exchanges.txt`, which describes their notation.
@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
  /// A paragraph: its first line, and the exchanges.
  struct Scenario: CustomTestStringConvertible {
    let testDescription: String
    let exchanges: [Substring]

    static let all: [Scenario] = {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Exchanges.txt")
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.split(separator: "\n\n").filter { !$0.hasPrefix("#") }.map { paragraph in
        let lines = paragraph.split(separator: "\n")
        return Scenario(testDescription: String(lines[0]), exchanges: Array(lines.dropFirst()))
      }
    }()
  }

  @Test func `The file has scenarios`() {
    #expect(Scenario.all.count > 20 && Scenario.all.allSatisfy { $0.exchanges.count > 1 })
  }

  @Test(.sandbox, arguments: Scenario.all)
  func `The sandbox responds as its file says`(scenario: Scenario) async throws {
    var values = ["origin": browser.base, "key": Sandbox.tmdbKey]
    for exchange in scenario.exchanges {
      let text = exchange.replacing(/{([A-Za-z])\*([0-9]+)}/) {
        String(repeating: $0.1.description, count: Int($0.2) ?? 0)
      }.replacing(/{([A-Za-z]+)}/) { values[String($0.1)] ?? String($0.0) }
      let sides = text.split(separator: " -> ", maxSplits: 1)
      try #require(sides.count == 2, "\(exchange)")
      let reply = try await send(sides[0].components(separatedBy: " | "))
      for part in sides[1].components(separatedBy: " | ") {
        if let name = part.rest(after: "keeps ") {
          let value = try #require(reply.header(name), "\(exchange)")
          (values[name], values["Strong\(name)"]) = (value, value.replacing("W/", with: ""))
        } else {
          #expect(reply.fulfils(part), "\(part): \(exchange.prefix(300))\n\(reply.text)")
        }
      }
    }
  }

  /// Sends a request of a line and fields.
  private func send(_ parts: [String]) async throws -> Reply {
    let line = parts[0].split(separator: " ")
    var (headers, body) = ([String: String](), String?.none)
    for part in parts.dropFirst() {
      if let text = part.rest(after: "body") {
        body = String(text.dropFirst())
      } else if let colon = part.firstIndex(of: ":") {
        headers[String(part[..<colon])] = String(part[part.index(after: colon)...].dropFirst())
      }
    }
    return try await browser.get(
      String(line[1]), method: String(line[0]), headers: headers, body: body)
  }
}

extension String {
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

extension Reply {
  /// Whether the response is as a part of a line says.
  fileprivate func fulfils(_ part: String) -> Bool {
    if let status = Int(part) { return self.status == status }
    if part == "empty" { return size == 0 }
    if let text = part.rest(after: "has ") { return self.text.contains(text) }
    if let name = part.rest(after: "lacks ") { return header(name) == nil }
    if let match = part.wholeMatch(of: /([a-z_.]+) =(?: (.*))?/) {
      let json = try? JSONSerialization.jsonObject(with: data)
      let values = Self.values(json, at: match.1.split(separator: ".")[...])
      return values.joined(separator: ", ") == match.2.map { String($0) } ?? ""
    }
    if let match = part.wholeMatch(of: /([A-Za-z-]+): (.*)/) {
      return header(String(match.1)) == String(match.2)
    }
    return false
  }

  /// Returns the values at a path of keys, of all elements of a list.
  private static func values(_ value: Any?, at path: ArraySlice<Substring>) -> [String] {
    if let list = value as? [Any] { return list.flatMap { values($0, at: path) } }
    guard let key = path.first else {
      return value.map { $0 is NSNull ? [] : ["\($0)"] } ?? []
    }
    return values((value as? [String: Any])?[String(key)], at: path.dropFirst())
  }
}
