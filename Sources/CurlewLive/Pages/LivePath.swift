import Foundation

/// A page's path with its parameters: `/repositories/{owner}/{name}`.
struct LivePath: Sendable {
  private let segments: [Substring]

  init(_ text: String) {
    segments = text.split(separator: "/")
  }

  /// Returns the parameters in a path; `nil` when the path does not match.
  private func parameters(of path: some StringProtocol) -> [(name: String, value: String)]? {
    let parts = path.split(separator: "/")
    guard parts.count == segments.count else { return nil }
    var parameters: [(name: String, value: String)] = []
    for (segment, part) in zip(segments, parts) {
      guard let text = String(part).removingPercentEncoding else { return nil }
      if segment.hasPrefix("{"), segment.hasSuffix("}") {
        parameters.append((String(segment.dropFirst().dropLast()), text))
      } else if segment != text {
        return nil
      }
    }
    return parameters
  }

  /// Returns the parameters of an address's path followed by its query parameters; `nil` when the
  /// path does not match.
  ///
  /// An empty path matches any page.
  func query(of address: some StringProtocol) -> LiveQuery? {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = LiveQuery(parts.count == 2 ? parts[1] : "")
    guard let path = parts.first, !path.isEmpty else { return query }
    return parameters(of: path).map { LiveQuery(items: $0 + query.items) }
  }
}
