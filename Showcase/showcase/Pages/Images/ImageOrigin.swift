import Foundation

/// An allowed origin of images: a scheme, a host or all hosts of a domain, and a path prefix.
package struct ImageOrigin: Sendable, Equatable {
  private let scheme: Substring
  private let host: Substring
  private let path: Substring

  /// Parses an origin such as `https://image.tmdb.org/t/p/`, or `https://*.mzstatic.com/image/` for
  /// all hosts of a domain; returns `nil` for other texts.
  package init?(_ text: String) {
    guard
      let match = text.wholeMatch(
        of: /(https?):\/\/((?:\*\.)?[a-z0-9\-.:\[\]]+)(\/(?:[a-z]+\/)*)/)
    else { return nil }
    (scheme, host, path) = (match.1, match.2, match.3)
  }

  /// Returns the URL of an image from its authority and path in a request; `nil` if it is not from
  /// this origin.
  package func url(of authority: some StringProtocol, _ path: some StringProtocol) -> String? {
    guard path.hasPrefix(self.path), isHost(authority), Self.isPlain(path) else { return nil }
    return "\(scheme)://\(authority)\(path)"
  }

  private func isHost(_ authority: some StringProtocol) -> Bool {
    guard host.hasPrefix("*.") else { return authority == host }
    let domain = host.dropFirst()
    guard authority.hasSuffix(domain) else { return false }
    // Only one label is allowed before the domain, so it can't contain another host, a port or a
    // user name.
    return authority.dropLast(domain.count).utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    } && authority.utf8.count > domain.utf8.count
  }

  /// Whether no segment leaves the path, regardless of percent-encoding.
  private static func isPlain(_ path: some StringProtocol) -> Bool {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().allSatisfy { segment in
      guard let text = segment.removingPercentEncoding else { return false }
      return !["", ".", ".."].contains(text)
        && !text.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 0x20 }
    }
  }
}
