import Foundation

/// The name of a repository on GitHub: `owner/name`.
public struct RepositoryName: Hashable, Sendable, CustomStringConvertible {
  /// Who it belongs to.
  public let owner: String
  /// What it is called there.
  public let name: String

  /// Creates a name from its parts; `nil` unless GitHub would allow both.
  public init?(owner: some StringProtocol, name: some StringProtocol) {
    guard Self.isOwner(owner), Self.isName(name) else { return nil }
    self.owner = String(owner)
    self.name = String(name)
  }

  /// Reads `owner/name`, or the address of a repository's page; `nil` for anything else.
  public init?(_ text: String) {
    var rest = text.trimmingCharacters(in: .whitespacesAndNewlines)[...]
    for prefix in ["https://", "http://", "www.", "github.com/"]
    where rest.lowercased().hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
    }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    let isAddress = rest.endIndex == text.endIndex && text.contains("github.com/")
    guard parts.count == 2 || (isAddress && parts.count > 2) else { return nil }
    let name = parts[1].hasSuffix(".git") ? parts[1].dropLast(4) : parts[1]
    self.init(owner: parts[0], name: name)
  }

  /// `owner/name`.
  public var description: String { "\(owner)/\(name)" }

  /// Letters, digits and single hyphens between them, at most 39.
  private static func isOwner(_ text: some StringProtocol) -> Bool {
    (1...39).contains(text.utf8.count) && text.first != "-"
      && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
  }

  /// Letters, digits, `.`, `-` and `_`, at most 100; not `.` or `..`.
  private static func isName(_ text: some StringProtocol) -> Bool {
    (1...100).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { isAlphanumeric($0) || "-._".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
