public import Domain
public import Foundation

/// The texts of an issue's row.
public struct IssueRow: Equatable, Sendable {
  /// The number, such as `#12`, or with the repository `apple/swift#12`.
  public let number: String
  /// The title; never empty.
  public let title: String
  /// The labels.
  public let labels: [Issue.Label]
  /// The name of the author; empty if unknown.
  public let author: String
  /// The age, such as `3 days ago`.
  public let age: String
  /// The creation date in UTC (ISO 8601); includes the time for the first 60 days.
  public let date: String
  /// The number of comments, such as `1 comment`; `nil` if there are none or the number is unknown.
  public let comments: String?

  /// Creates the row of an issue at a given time.
  ///
  /// - Parameter isNamed: Whether the row names the repository.
  public init(_ issue: Issue, isNamed: Bool = false, now: Date) {
    number = (isNamed ? "\(issue.repository)" : "") + "#\(issue.number)"
    let title = issue.title.trimmingCharacters(in: .whitespacesAndNewlines)
    self.title = title.isEmpty ? "(no title)" : title
    labels = issue.labels
    author = issue.author.trimmingCharacters(in: .whitespacesAndNewlines)
    age = issue.createdAt.age(at: now) ?? "just now"
    // Seconds are never useful; the time of day is not useful for issues that are months old.
    let date = issue.createdAt.formatted(.iso8601)
    let isOld = now.timeIntervalSince(issue.createdAt) > 60 * 86_400
    self.date = isOld ? String(date.prefix(10)) : date.prefix(16) + "Z"
    comments = Self.comments(issue)
  }

  /// Returns the number of comments as text, such as `12 comments`; `nil` for none or an unknown
  /// number.
  public static func comments(_ issue: Issue) -> String? {
    guard let count = issue.comments, count > 0 else { return nil }
    return count == 1 ? "1 comment" : "\(count) comments"
  }
}
