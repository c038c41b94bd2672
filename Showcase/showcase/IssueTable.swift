import Application
import Domain
import Foundation

extension IssueList {
  /// The issues as a table; on a terminal with the repository's present name above it.
  func text(for terminal: Terminal, now: Date) -> String {
    guard let first else { return "" }
    let isColoured = terminal.colors != .none
    let table = Table(
      columns: [
        Table.Column("#", alignment: .right),
        Table.Column("TITLE", minimum: 24, maximum: 80),
        Table.Column("LABELS", minimum: 12, maximum: 40, rank: 1),
        Table.Column("AUTHOR", minimum: 8, rank: 3),
        Table.Column("AGE", rank: 4),
        Table.Column("COMMENTS", alignment: .right, rank: 2),
      ],
      rows: map { issue in
        let row = IssueRow(issue, now: now)
        return [
          Cell(row.number), Cell(row.title), Cell(labels: row.labels, isColoured: isColoured),
          Cell(row.author), Cell(row.age, .faint), Cell("\(issue.comments)"),
        ]
      })
    var lines = table.lines(within: terminal.width)
    if let width = terminal.width {
      let number = isPartial ? "the newest \(count)" : "\(count)"
      let heading = Cell(
        "\(first.repository): \(number) open issue\(count == 1 ? "" : "s")", .bold)
      lines.insert(heading.fitted(to: width), at: 0)
    }
    return lines.map { $0.rendered(in: terminal.colors) + "\n" }.joined()
  }
}

extension Cell {
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
