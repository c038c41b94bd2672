import HTTPTypes

/// A URL in the form in which it is compared: RFC 3986 section 6.2.2, and a little more.
///
/// Segments and query items are compared decoded, so that `a:b` and `a%3Ab` are equal, and `+` is a
/// space in a query: clients differ in what they escape, and mean the same.
struct RecordedURL {
  struct Resource: Hashable {
    let scheme: String
    let authority: String
    let segments: [[UInt8]]
  }

  struct Item: Hashable {
    let name: [UInt8]
    let value: [UInt8]

    func isSecret(_ names: Set<String>) -> Bool {
      names.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Whether a recorder left the value out.
    var isMasked: Bool {
      let text = String(decoding: value, as: UTF8.self).lowercased()
      return text.allSatisfy { "*x.…".contains($0) }
        || ["redacted", "filtered", "removed", "masked", "hidden"].contains { text.contains($0) }
    }
  }

  let resource: Resource
  let query: [Item]

  init(_ text: String) {
    let url = text.prefix { $0 != "#" }
    let colon = url.firstIndex(of: ":") ?? url.startIndex
    let scheme = url[..<colon].lowercased()
    let rest = url[colon...].drop { $0 == ":" }.trimmingPrefix("//")
    let authority = rest.prefix { !"/?".contains($0) }
    let target = rest[authority.endIndex...]
    let path = target.prefix { $0 != "?" }
    resource = Resource(
      scheme: scheme, authority: Self.normalized(authority: authority, of: scheme),
      segments: Self.segments(of: path))
    query = target[path.endIndex...].dropFirst().split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return Item(
        name: PercentEncoding.decoded(name, plusIsSpace: true),
        value: PercentEncoding.decoded(item[name.endIndex...].dropFirst(), plusIsSpace: true))
    }
  }

  private static func normalized(authority: Substring, of scheme: String) -> String {
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let port = scheme == "https" ? ":443" : ":80"
    let shown = host.hasSuffix(port) ? host.dropLast(port.count) : host
    return (shown.hasSuffix(":") ? shown.dropLast() : shown).lowercased()
  }

  /// Splits before it decodes, so that `%2F` stays apart from `/`, and takes out `.` and `..`.
  private static func segments(of path: Substring) -> [[UInt8]] {
    let dot = UInt8(ascii: ".")
    var segments: [[UInt8]] = []
    let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (offset, text) in all.enumerated() {
      let segment = PercentEncoding.decoded(text)
      let isLast = offset == all.count - 1
      switch segment {
      case [dot]:
        if isLast { segments.append([]) }
      case [dot, dot]:
        _ = segments.popLast()
        if isLast { segments.append([]) }
      default:
        segments.append(segment)
      }
    }
    // A URL without a path asks for "/".
    return segments.isEmpty ? [[]] : segments
  }
}

extension RecordedURL {
  /// How well a recorded query answers this URL's; the greater the better.
  struct Likeness: Comparable {
    /// Equal apart from secrets.
    let isEqual: Bool
    /// Equal secrets before left-out ones, those before others: 2, 1, 0.
    let secrets: Int
    let shared: Int
    let others: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.isEqual ? 1 : 0, a.shared, -a.others, a.secrets)
        < (b.isEqual ? 1 : 0, b.shared, -b.others, b.secrets)
    }
  }

  /// Compares a recorded query with this URL's; `nil` where it is no answer.
  func likeness(
    of recorded: [Item], in mode: HARTransport.Mode, apartFrom secretNames: Set<String>
  ) -> Likeness? {
    let (mySecrets, mine) = query.counted(secret: secretNames)
    let (itsSecrets, its) = recorded.counted(secret: secretNames)
    let shared = mine.reduce(0) { $0 + min($1.value, its[$1.key] ?? 0) }
    guard mine == its || mode == .lenient else { return nil }
    let secrets = mySecrets == itsSecrets ? 2 : itsSecrets.keys.allSatisfy(\.isMasked) ? 1 : 0
    return Likeness(
      isEqual: mine == its, secrets: secrets, shared: shared,
      others: its.values.reduce(0, +) - shared)
  }
}

extension [RecordedURL.Item] {
  /// Whether two queries are equal in any order, secrets left out.
  func isEqual(to other: Self, apartFrom secretNames: Set<String>) -> Bool {
    counted(secret: secretNames).others == other.counted(secret: secretNames).others
  }

  /// How often each item stands here.
  fileprivate func counted(
    secret names: Set<String>
  ) -> (secrets: [RecordedURL.Item: Int], others: [RecordedURL.Item: Int]) {
    reduce(into: ([:], [:])) { counts, item in
      if item.isSecret(names) {
        counts.secrets[item, default: 0] += 1
      } else {
        counts.others[item, default: 0] += 1
      }
    }
  }
}

extension HAR {
  /// The recorded requests that look most like one that is not recorded, secrets masked.
  func nearest(to request: OutgoingRequest, count: Int) -> [String] {
    let url = RecordedURL(request.url)
    let scored = entries.map { entry in
      (entry, url.similarity(to: entry.url) + (entry.method == request.head.method ? 1 : 0))
    }
    var nearest: [String] = []
    for (entry, _) in scored.sorted(by: { $0.1 > $1.1 }) where nearest.count < count {
      let text = "\(entry.method) \(request.redaction.redacting(url: entry.url))"
      if !nearest.contains(text) { nearest.append(text) }
    }
    return nearest
  }
}

extension RecordedURL {
  /// From 0 to 6: the host counts 2, the path 3, the query 1.
  fileprivate func similarity(to text: String) -> Double {
    let other = RecordedURL(text)
    let host = resource.authority == other.resource.authority ? 2.0 : 0
    let path = Self.likeness(
      Array(resource.segments.joined(separator: "/".utf8)),
      Array(other.resource.segments.joined(separator: "/".utf8)))
    let items = Set(query).union(other.query).count
    let shared = Set(query).intersection(other.query).count
    return host + 3 * path + (items == 0 ? 1 : Double(shared) / Double(items))
  }

  /// The share of two texts that begins and ends alike, which is most of them when one was mistyped.
  private static func likeness(_ a: [UInt8], _ b: [UInt8]) -> Double {
    guard a != b else { return 1 }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    let longer = max(a.count, b.count)
    return Double(min(start + end, min(a.count, b.count), longer - 1)) / Double(longer)
  }
}
