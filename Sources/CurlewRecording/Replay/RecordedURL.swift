import Curlew
import HTTPTypes

/// A URL in a normalized form, for comparison (RFC 3986 section 6.2.2).
///
/// Path segments and query items are compared decoded, because clients escape different characters: `a:b` and `a%3Ab`
/// are equal, and `+` is a space in a query.
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
    return (try? BaseURL("\(scheme)://\(host)"))?.authority ?? host.lowercased()
  }

  /// Returns the decoded segments with `.` and `..` resolved; splits before decoding, so that `%2F` differs from `/`.
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
    // An empty path is equivalent to "/".
    return segments.isEmpty ? [[]] : segments
  }
}

extension RecordedURL {
  /// Returns the number of occurrences of each query item, without the secret items.
  func items(apartFrom secretNames: Set<String> = []) -> [Item: Int] {
    query.reduce(into: [:]) { counts, item in
      if !item.isSecret(secretNames) { counts[item, default: 0] += 1 }
    }
  }
}
