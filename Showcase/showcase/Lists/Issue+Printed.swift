import Application
import Domain
import Foundation

extension Issue: Printed {
  static let noun = (one: "open issue", many: "open issues")

  static func columns(now: Date) -> [Column<Issue>] {
    let row = { (issue: Issue) in IssueRow(issue, now: now) }
    var labels = Column<Issue>.text("LABELS", least: 12) { issue in
      row(issue).labels.map(\.name).joined(separator: ", ")
    }
    labels.paint = { text, issue, colors in text.painted(with: issue.labels, in: colors) }
    return [
      .number("#") { row($0).number },
      .text("TITLE", least: 24) { row($0).title },
      labels,
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

extension String {
  /// Returns the names of labels, separated by a comma and a space, each on its label's colour.
  fileprivate func painted(with labels: [Issue.Label], in colors: Terminal.Colors) -> String {
    var rest = self[...]
    return labels.reduce(into: "") { result, label in
      let name = rest.prefix(label.name.printable.count)
      rest = rest.dropFirst(name.count)
      result += String(name).on(label.color, in: colors) + rest.prefix(2)
      rest = rest.dropFirst(2)
    } + rest
  }
}
