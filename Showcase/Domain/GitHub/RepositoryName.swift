import Foundation

/// The name of a repository on GitHub: `owner/name`.
public struct RepositoryName: Hashable, Sendable, CustomStringConvertible {
  /// The owner.
  public let owner: String
  /// The name among the owner's repositories.
  public let name: String

  /// Creates a name from its parts; `nil` unless GitHub would allow both.
  public init?(owner: some StringProtocol, name: some StringProtocol) {
    guard Self.isOwner(owner), Self.isName(name) else { return nil }
    self.owner = String(owner)
    self.name = String(name)
  }

  /// Reads `owner/name`, or the address of any page of the repository on github.com; `nil` for
  /// anything else.
  public init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    // An address has more parts. To make the expression takes longer than to decode a repository.
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

  /// The name in lower case: GitHub tells names apart without regard to case.
  public var id: String { description.lowercased() }

  /// `owner/name`.
  public var description: String { "\(owner)/\(name)" }

  /// At most 39 letters, digits and hyphens, no hyphen in front; old accounts may end in one.
  private static func isOwner(_ text: some StringProtocol) -> Bool {
    (1...39).contains(text.utf8.count) && text.first != "-"
      && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  /// Letters, digits, `.`, `-` and `_`, at most 100; not `.` or `..`, and no `.git` at the end, which
  /// is a clone's.
  private static func isName(_ text: some StringProtocol) -> Bool {
    (1...100).contains(text.utf8.count) && text != "." && text != ".." && !text.hasSuffix(".git")
      && text.utf8.allSatisfy { isAlphanumeric($0) || "-._".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let character = Character(UnicodeScalar(byte))
    return byte < 0x80 && (character.isLetter || character.isNumber)
  }
}
