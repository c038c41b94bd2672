extension URLReference {
  /// The path and query of the request target; relative for a relative reference.
  package var pathAndQuery: String { parts.path + parts.query }

  /// Returns this reference resolved against a base (RFC 3986 section 5.2).
  ///
  /// The path of an absolute URL is unchanged, including its dot segments; other paths are resolved against
  /// the base's path, and their dot segments are removed.
  func target(from base: BaseURL.Target) -> BaseURL.Target? {
    let (scheme, authority, path, query) = (
      parts.scheme, parts.authority, parts.path, parts.query
    )
    guard scheme == nil, authority == nil else {
      guard let url = try? BaseURL("\(scheme ?? base.scheme)://\(authority ?? "")") else {
        return nil
      }
      return BaseURL.Target(
        scheme: url.scheme, authority: url.authority, path: (path.isEmpty ? "/" : path) + query)
    }
    let basePath = base.path.prefix { $0 != "?" }
    let resolved: String
    if path.isEmpty {
      resolved = query.isEmpty ? base.path : basePath + query
    } else {
      let folder =
        path.hasPrefix("/")
        ? "" : basePath.prefix(through: basePath.lastIndex(of: "/") ?? basePath.startIndex)
      resolved = Self.withoutDotSegments(folder + path) + query
    }
    return BaseURL.Target(scheme: base.scheme, authority: base.authority, path: resolved)
  }

  /// Returns a path without its segments `.` and `..` (RFC 3986 section 5.2.4).
  private static func withoutDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (offset, segment) in segments.enumerated() {
      if segment == ".." { _ = kept.popLast() }
      if segment != "." && segment != ".." {
        kept.append(segment)
      } else if offset == segments.count - 1 {
        kept.append("")
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

extension BaseURL {
  /// The parts of an absolute http or https URL.
  struct Target {
    let scheme: String
    let authority: String
    /// The path with its query.
    let path: String

    func hasSameOrigin(as other: Target) -> Bool {
      scheme == other.scheme && authority == other.authority
    }
  }

  /// The base of relative references: the base URL with a slash at its end.
  var target: Target { Target(scheme: scheme, authority: authority, path: pathPrefix + "/") }
}
