public import Domain
public import Foundation

/// A repository as a row shows it.
public struct RepositoryRow: Equatable, Sendable {
  /// `apple/swift`.
  public let name: String
  /// The description; never empty.
  public let summary: String
  /// `1.2k`; `nil` when it is not known.
  public let stars: String?
  /// `850`; `nil` when it is not known.
  public let forks: String?
  /// The language; empty when it has none.
  public let language: String
  /// The picture of the owner.
  public let avatar: URL?

  /// Describes a repository.
  public init(_ repository: Repository) {
    name = "\(repository.name)"
    let text = repository.summary?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    summary = text.isEmpty ? "No description." : text
    stars = repository.stars.map(Self.short)
    forks = repository.forks.map(Self.short)
    language = repository.language ?? ""
    avatar = repository.avatar
  }

  /// A count in at most four characters: `999`, `1.2k`, `68k`, `1.2M`.
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

  /// Counts in a unit, without an overflow whatever a server counts.
  private static func rounded(_ count: Int, _ unit: Int) -> Int {
    count / unit + (count % unit >= unit / 2 ? 1 : 0)
  }
}
