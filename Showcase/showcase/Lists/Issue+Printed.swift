import Application
import Domain
import Foundation

extension Issue: Printed {
  static let noun = (one: "open issue", many: "open issues")

  static func table(of list: Loaded<Issue>, isColoured: Bool, now: Date) -> Table {
    Table(
      columns: [
        Table.Column("#", alignment: .right),
        Table.Column("TITLE", minimum: 24, maximum: 80),
        Table.Column("LABELS", minimum: 12, maximum: 40, rank: 1),
        Table.Column("AUTHOR", minimum: 8, rank: 3),
        Table.Column("AGE", rank: 4),
        Table.Column("COMMENTS", alignment: .right, rank: 2),
      ],
      rows: list.items.map { issue in
        let row = IssueRow(issue, now: now)
        return [
          Cell(row.number), Cell(row.title), Cell(labels: row.labels, isColoured: isColoured),
          Cell(row.author), Cell(row.age, .faint), Cell(count: issue.comments),
        ]
      })
  }

  static func documents(of list: Loaded<Issue>) -> [IssueDocument] {
    list.items.map(IssueDocument.init)
  }
}

/// An issue as scripts get it.
struct IssueDocument: Encodable {
  struct Label: Encodable {
    let name: String
    let color: String
  }

  let author: String
  let body: String
  @OrNull var comments: Int?
  let createdAt: Date
  let labels: [Label]
  let number: Int
  let repository: String
  let title: String

  init(_ issue: Issue) {
    author = issue.author
    body = issue.body
    comments = issue.comments
    createdAt = issue.createdAt
    labels = issue.labels.map { Label(name: $0.name, color: $0.color) }
    number = issue.number
    repository = issue.repository.description
    title = issue.title
  }
}

extension Cell {
  /// A count; a dash where it is not known.
  init(count: Int?) { self.init(count.map { "\($0)" } ?? "–") }

  /// Labels as coloured chips, or as words with commas.
  init(labels: [Issue.Label], isColoured: Bool) {
    var spans: [Span] = []
    for (index, label) in labels.enumerated() {
      if index > 0 { spans.append(Span(isColoured ? " " : ", ")) }
      let chip = isColoured ? Color(hexadecimal: label.color) : nil
      spans.append(chip.map { Span(" \(label.name) ", .chip($0)) } ?? Span(label.name))
    }
    self.init(spans)
  }
}
