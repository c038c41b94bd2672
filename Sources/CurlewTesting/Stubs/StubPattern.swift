package import Curlew
package import HTTPTypes

/// The pattern of the requests that a stub responds to.
package struct StubPattern: Sendable, CustomStringConvertible {
  private enum Target: Sendable {
    /// An endpoint's path and query, sorted as in ``String/sortedTarget``.
    case exact(String)
    /// The segments of a path, possibly with wildcards.
    case segments([Substring])
  }

  private let method: HTTPRequest.Method
  private let target: Target
  /// The method, the path and the names of query items, without their values, which may be secrets.
  package let description: String

  package init(_ endpoint: some Endpoint) {
    let request = endpoint.request
    method = request.method
    target = .exact(endpoint.target.sortedTarget)
    let names = request.query.items.map { "\($0.name)=…" }.joined(separator: "&")
    description = "\(request.method) \(request.path)" + (names.isEmpty ? "" : "?\(names)")
  }

  package init(_ method: HTTPRequest.Method, _ path: Path) {
    self.method = method
    target = .segments(path.description.segments)
    description = "\(method) \(path)"
  }

  func matches(_ requested: RequestTarget) -> Bool {
    guard requested.method == method else { return false }
    switch target {
    case .exact(let target): return requested.targets.contains(target)
    case .segments(let pattern):
      return requested.targets.contains { target in
        Self.matches(String(target.prefix { $0 != "?" }).segments, pattern)
      }
    }
  }

  private static func matches(_ segments: [Substring], _ pattern: [Substring]) -> Bool {
    let takesMore = pattern.last == "**"
    let fixed = takesMore ? pattern.dropLast() : pattern[...]
    guard takesMore ? segments.count >= fixed.count : segments.count == fixed.count else {
      return false
    }
    return zip(segments, fixed).allSatisfy { $1 == "*" || $0 == $1 }
  }
}

/// The target of a request, in all forms that stubs can match.
package struct RequestTarget {
  let method: HTTPRequest.Method
  /// The path and query as sent, relative to the base URL, and as in the endpoint, both sorted as in
  /// ``String/sortedTarget``.
  let targets: [String]

  init(_ request: OutgoingRequest, prefixes: inout [String: String]) {
    method = request.head.method
    let sent = request.head.path ?? "/"
    let path = sent.prefix { $0 != "?" }
    let declared = request.endpoint
    let own = declared.path.description
    let authority = request.head.authority ?? ""
    if prefixes[authority] == nil, declared.path.url == nil, path.hasSuffix(own) {
      prefixes[authority] = String(path.dropLast(own.count))
    }
    let prefix = prefixes[authority] ?? ""
    let isAtOwnPath =
      declared.path.url.map { sent.hasPrefix($0.pathAndQuery) } ?? (path == prefix + own)
    var targets = [sent]
    if !prefix.isEmpty, sent.hasPrefix(prefix + "/") {
      targets.append(String(sent.dropFirst(prefix.count)))
    }
    if isAtOwnPath, method == declared.method { targets.append(declared.target) }
    self.targets = targets.map(\.sortedTarget)
  }

  /// Creates the target of a request received by a server, without an endpoint.
  package init(method: HTTPRequest.Method, target: String) {
    self.method = method
    targets = [target.sortedTarget]
  }
}

extension Endpoint {
  fileprivate var method: HTTPRequest.Method { request.method }
  fileprivate var path: Path { request.path }
  /// The path and query, relative to the base URL or of a full URL.
  fileprivate var target: String { path.pathAndQuery(with: request.query) }
}

extension String {
  /// This path with its query items sorted by name.
  ///
  /// Items with the same name keep their order, which may be significant.
  fileprivate var sortedTarget: String {
    guard let mark = firstIndex(of: "?") else { return self }
    let items = self[index(after: mark)...].split(separator: "&").enumerated()
      .map { (name: $1.prefix { $0 != "=" }, offset: $0, item: $1) }
      .sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }
    return self[...mark] + items.map(\.item).joined(separator: "&")
  }

  fileprivate var segments: [Substring] {
    split(separator: "/", omittingEmptySubsequences: false)
  }
}
