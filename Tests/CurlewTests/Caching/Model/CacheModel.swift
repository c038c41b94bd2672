import Curlew
import Foundation
import HTTPTypes

extension CacheHistory {
  /// The user and account of a request.
  struct Account: Hashable, Sendable {
    /// The user for the origin, which has a representation for each user.
    let person: String?
    /// The account for the cache.
    let partition: String?

    init(_ token: String?, _ settings: Settings) {
      person = token.map { String($0.prefix(1)) }
      partition = settings.namesAccounts ? person : token
    }
  }
}

/// The rules of RFC 9111, as simple as possible, and independent of the tested policy.
enum CacheModel {
  /// The directives of `Cache-Control`, in order, with lowercase names and unquoted arguments.
  struct Directives {
    private(set) var all: [(name: String, argument: String?)] = []

    init(_ fields: HTTPFields) {
      var (parts, part, isQuoted) = ([String](), "", false)
      for character in fields[values: .cacheControl].joined(separator: ",") {
        if character == "\"" { isQuoted.toggle() }
        if character == ",", !isQuoted {
          parts.append(part)
          part = ""
        } else {
          part.append(character)
        }
      }
      for part in parts + [part] {
        let pair = part.split(separator: "=", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        guard let name = pair.first, !name.isEmpty else { continue }
        all.append(
          (name.lowercased(), pair.count > 1 ? pair[1].replacing("\"", with: "") : nil))
      }
    }

    /// Whether a directive is present without an argument.
    func has(_ name: String) -> Bool { all.contains { $0.name == name && $0.argument == nil } }

    /// Returns the number of a directive's first occurrence; zero if it is not a number, `nil` without the directive.
    func seconds(_ name: String) -> Int? {
      all.first { $0.name == name }.map { max(0, Int($0.argument ?? "") ?? 0) }
    }

    /// Returns the fields that a directive names.
    func fields(of name: String) -> Set<String> {
      Set(
        all.filter { $0.name == name }.flatMap {
          ($0.argument ?? "").split { ", ".contains($0) }.map { $0.lowercased() }
        })
    }

    var isPlain: Bool {
      all.allSatisfy { ["max-age", "private", "public", "immutable"].contains($0.name) }
        && all.filter { $0.name == "max-age" }.count == 1
        && (seconds("max-age") ?? 0) > 0
    }
  }

  /// A range of numbers, all of which the model accepts.
  typealias Bounds = ClosedRange<Double>

  /// Returns the age of a response (section 4.2.3).
  ///
  /// - Parameter head: The stored fields, after all updates.
  static func age(of sent: ModelOrigin.Sent, _ head: HTTPFields, at now: Int) -> Bounds {
    func initial(_ fields: HTTPFields) -> Int {
      let age = fields[.age].flatMap { Int($0) } ?? 0
      let date = ModelOrigin.second(of: fields[.date]) ?? sent.responseTime
      return max(
        max(0, sent.responseTime - date), age + sent.responseTime - sent.requestTime)
    }
    // Fields that an update omits may count or not.
    let both = [initial(sent.fields), initial(head)]
    // After the clock was set back, the time in the cache is unknown.
    let resident = now - sent.responseTime
    return Double(max(0, both.min()! + resident))...Double(both.max()! + abs(resident))
  }

  /// Returns the freshness lifetime of a response (section 4.2.1).
  static func lifetime(
    of sent: ModelOrigin.Sent, _ head: HTTPFields, status: Int, usesHeuristics: Bool
  ) -> Bounds {
    if let seconds = Directives(head).seconds("max-age") {
      return Double(seconds)...Double(seconds)
    }
    let dates = [sent.fields[.date], head[.date]].map {
      ModelOrigin.second(of: $0) ?? sent.responseTime
    }
    func bounds(_ lifetime: (Int) -> Double) -> Bounds {
      let both = dates.map { max(0, lifetime($0)) }
      return both.min()!...both.max()!
    }
    if let expires = head[.expires] {
      guard let expires = ModelOrigin.second(of: expires) else { return 0...0 }
      return bounds { Double(expires - $0) }
    }
    let isHeuristic = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    guard usesHeuristics, isHeuristic || Directives(head).has("public"),
      let modified = ModelOrigin.second(of: head[.lastModified])
    else { return 0...0 }
    return bounds { Double($0 - modified) / 10 }
  }

  /// Whether a private cache may store a response (section 3).
  static func mayStore(_ sent: ModelOrigin.Sent) -> Bool {
    let (response, request) = (Directives(sent.fields), Directives(sent.request))
    let isUnderstood = response.has("must-understand") && sent.status != 299
    return sent.method == .get && sent.isComplete && !request.has("no-store")
      && (isUnderstood || !response.has("no-store") && !response.has("must-understand"))
  }

  /// Returns the fields that `Vary` names.
  static func varying(_ fields: HTTPFields) -> [String] {
    fields[values: .varying].flatMap { $0.split { ", ".contains($0) } }.map { $0.lowercased() }
  }

  /// Whether two requests select the same response (section 4.1).
  static func agree(_ first: HTTPFields, _ second: HTTPFields, by names: [String]) -> Bool {
    names.allSatisfy { name in
      guard let name = HTTPField.Name(name) else { return false }
      return normalized(first[name]) == normalized(second[name])
    }
  }

  /// Returns a field's value without the differences that the model's origin ignores.
  static func normalized(_ value: String?) -> String {
    value.map { "=" + $0.replacing(" ", with: "") } ?? ""
  }

  /// Whether a condition lists a tag (RFC 9110 section 8.8.3.2, weakly).
  static func lists(_ condition: String, _ tag: String) -> Bool {
    func opaque(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }
    return condition.split(separator: ",").contains {
      opaque($0.trimmingCharacters(in: .whitespaces)) == opaque(tag)
    }
  }

  /// Returns the part of a body that a single range selects (RFC 9110 section 14.1.2).
  static func range(_ field: String?, of count: Int) -> Range<Int>? {
    guard let field, field.hasPrefix("bytes=") else { return nil }
    let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last?): return first..<min(count, last + 1)
    case (let first?, nil): return first < count ? first..<count : nil
    case (nil, let length?): return max(0, count - length)..<count
    default: return nil
    }
  }

  /// The fields that an update does not change (section 3.2).
  static let kept: Set<HTTPField.Name> = [.contentLength, .connection, .hop]

  /// A possible head of a stored response, and the number of the response that delivered its body.
  struct Head: Hashable, Sendable {
    let born: Int
    var fields: HTTPFields
  }

  /// Returns the possible heads of stored responses that a response was the last to update.
  static func heads(of sent: ModelOrigin.Sent, in state: ModelOrigin.State) -> [Head] {
    switch sent.kind {
    case .whole, .part, .error: return [Head(born: sent.number, fields: sent.fields)]
    case .unsafe: return []
    case .head, .notModified:
      let earlier = state.sent.values.filter {
        $0.number < sent.number && $0.version == sent.version && $0.url == sent.url
          && $0.account.partition == sent.account.partition
      }
      var heads = Set(earlier.flatMap { state.heads[$0.number] ?? [] })
      heads = Set(
        heads.map { head in
          var head = head
          for name in Set(sent.fields.map(\.name)).subtracting(kept) {
            head.fields[fields: name] = sent.fields[fields: name]
          }
          return head
        })
      return Array(heads)
    }
  }
}
