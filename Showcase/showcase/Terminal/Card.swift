/// What is known of one thing, in lines of a name and a value each.
struct Card {
  private static let gap = 2

  let title: String
  /// What is to be added to the title on a terminal.
  let note: String?
  let rows: [(name: String, value: String)]

  /// Creates a card without those rows that have no value.
  init(title: String, note: String?, rows: [(name: String, value: String?)]) {
    self.title = title
    self.note = note
    self.rows = rows.compactMap { name, value in
      guard let value, !value.isEmpty else { return nil }
      return (name, value)
    }
  }

  /// The card; on a terminal long values are broken at spaces, elsewhere each is one line.
  func text(for terminal: Terminal) -> String {
    let column = rows.reduce("Name".count) { max($0, $1.name.terminalWidth) } + Self.gap
    let space = terminal.width.map { max(1, $0 - column) }
    var lines: [[Span]] = []
    func add(_ name: String, _ cell: [Span]) {
      lines.append(
        Cell(name, .faint).padded(to: column, .left, isCut: false) + cell)
    }
    let note = terminal.width == nil ? nil : note
    add("Name", [Span(title, .bold)] + (note.map { [Span(" "), Span($0, .faint)] } ?? []))
    for row in rows {
      let parts = space.map { row.value.printable.broken(within: $0) } ?? [row.value]
      for (index, part) in parts.enumerated() { add(index == 0 ? row.name : "", [Span(part)]) }
    }
    return lines.map { $0.rendered(in: terminal.colors) + "\n" }.joined()
  }
}

extension String {
  /// The text in lines of at most so many columns, broken at spaces; a longer word keeps its line.
  func broken(within limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.terminalWidth + 1 + String(word).terminalWidth <= limit {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}
