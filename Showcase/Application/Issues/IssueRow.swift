public import Domain
public import Foundation

/// An issue as a row shows it.
public struct IssueRow: Equatable, Sendable {
  /// `#12`.
  public let number: String
  /// The title; never empty.
  public let title: String
  /// The labels.
  public let labels: [Issue.Label]
  /// The name of the author, or nothing.
  public let author: String
  /// `3 days ago`.
  public let age: String
  /// The date when it was written, in UTC (ISO 8601), with the time if it is not long ago.
  public let date: String
  /// `1 comment`, `12 comments`; `nil` when there are none, or their number is not known.
  public let comments: String?

  /// Describes an issue as of a moment.
  public init(_ issue: Issue, now: Date) {
    number = "#\(issue.number)"
    let title = issue.title.trimmingCharacters(in: .whitespacesAndNewlines)
    self.title = title.isEmpty ? "(no title)" : title
    labels = issue.labels
    author = issue.author.trimmingCharacters(in: .whitespacesAndNewlines)
    age = issue.createdAt.age(at: now) ?? "just now"
    // Nobody sees the seconds, and of an issue that is months old nobody sees the time.
    let date = issue.createdAt.formatted(.iso8601)
    let isOld = now.timeIntervalSince(issue.createdAt) > 60 * 86_400
    self.date = isOld ? String(date.prefix(10)) : date.prefix(16) + "Z"
    comments = Self.comments(issue)
  }

  /// Says how many comments an issue has: `1 comment`, `12 comments`; `nil` for none, or an unknown number.
  public static func comments(_ issue: Issue) -> String? {
    guard let count = issue.comments, count > 0 else { return nil }
    return count == 1 ? "1 comment" : "\(count) comments"
  }
}
