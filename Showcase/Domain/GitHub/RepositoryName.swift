import Foundation

/// The name of a repository on GitHub: `owner/name`.
public struct RepositoryName: Hashable, Sendable, CustomStringConvertible {
  /// The owner.
  public let owner: String
  /// The name within the owner's repositories.
  public let name: String

  /// Creates a name from its parts; returns `nil` unless GitHub allows both.
  public init?(owner: some StringProtocol, name: some StringProtocol) {
    guard Self.isOwner(owner), Self.isName(name) else { return nil }
    self.owner = String(owner)
    self.name = String(name)
  }

  /// Parses `owner/name`, or the URL of any page of the repository on github.com; returns `nil` for
  /// other texts.
  public init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    // Only a URL has more parts. Creating the regular expression takes longer than decoding a
    // repository.
    if parts.count > 2 {
      let page =
        /(https?:\/\/)?(www\.)?github\.com\/(?<owner>[^\/]+)\/(?<name>[^\/?#]+)([\/?#].*)?/
      if let match = text.wholeMatch(of: page.ignoresCase()) {
        parts = [match.output.owner, match.output.name]
      }
    }
    guard parts.count == 2 else { return nil }
    self.init(owner: parts[0], name: parts[1].hasSuffix(".git") ? parts[1].dropLast(4) : parts[1])
  }

  /// The name in lower case, because names are case-insensitive on GitHub.
  public var id: String { description.lowercased() }

  /// `owner/name`.
  public var description: String { "\(owner)/\(name)" }

  /// Returns whether a text is a valid owner: at most 39 letters, digits and hyphens, without a
  /// leading hyphen.
  ///
  /// Names of old accounts may end in a hyphen.
  private static func isOwner(_ text: some StringProtocol) -> Bool {
    (1...39).contains(text.utf8.count) && text.first != "-"
      && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  /// Returns whether a text is a valid name: at most 100 letters, digits, `.`, `-` and `_`.
  ///
  /// `.`, `..` and the suffix `.git`, which belongs to clone URLs, are invalid.
  private static func isName(_ text: some StringProtocol) -> Bool {
    (1...100).contains(text.utf8.count) && text != "." && text != ".." && !text.hasSuffix(".git")
      && text.utf8.allSatisfy { isAlphanumeric($0) || "-._".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let character = Character(UnicodeScalar(byte))
    return byte < 0x80 && (character.isLetter || character.isNumber)
  }
}
