import Application
import CurlewTerminal
import Domain
import Foundation

extension Issue: Printed {
  static let noun = (one: "open issue", many: "open issues")

  static func columns(now: Date) -> [Column<Issue>] {
    let row = { @Sendable (issue: Issue) in IssueRow(issue, now: now) }
    return [
      .number("#") { row($0).number },
      .text("TITLE", least: 24) { row($0).title },
      .labels("LABELS", least: 12) { $0.labels.map { ($0.name, $0.color) } },
      .text("AUTHOR", least: 8) { row($0).author },
      .word("AGE") { row($0).age }.faint,
      .count("COMMENTS") { $0.comments },
    ]
  }

  static func json(_ issue: Issue) -> JSONObject {
    [
      "author": issue.author, "body": issue.body, "comments": issue.comments,
      "createdAt": issue.createdAt,
      "labels": issue.labels.map { ["name": $0.name, "color": $0.color] as JSONObject },
      "number": issue.number, "repository": "\(issue.repository)", "title": issue.title,
    ]
  }
}
