public import Domain
public import Foundation

/// The texts of a repository's row.
public struct RepositoryRow: Equatable, Sendable {
  /// The full name, such as `apple/swift`.
  public let name: String
  /// The description; never empty.
  public let summary: String
  /// The number of stars, such as `1.2k`; `nil` if unknown.
  public let stars: String?
  /// The number of forks, such as `850`; `nil` if unknown.
  public let forks: String?
  /// The language; empty if there is none.
  public let language: String
  /// The URL of the owner's avatar.
  public let avatar: URL?

  /// Creates the texts for a repository.
  public init(_ repository: Repository) {
    name = "\(repository.name)"
    let text = repository.summary?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    summary = text.isEmpty ? "No description." : text
    stars = repository.stars.map(Self.short)
    forks = repository.forks.map(Self.short)
    language = repository.language ?? ""
    avatar = repository.avatar
  }

  /// Returns a count in at most four characters: `999`, `1.2k`, `68k`, `1.2M`.
  public static func short(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count)"
    case ..<9_950: decimal(count, 1_000) + "k"
    case ..<999_500: "\(rounded(count, 1_000))k"
    case ..<9_950_000: decimal(count, 1_000_000) + "M"
    default: "\(rounded(count, 1_000_000))M"
    }
  }

  private static func decimal(_ count: Int, _ unit: Int) -> String {
    let tenths = rounded(count, unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a count in a unit, rounded, without overflow for any count.
  private static func rounded(_ count: Int, _ unit: Int) -> Int {
    count / unit + (count % unit >= unit / 2 ? 1 : 0)
  }
}
