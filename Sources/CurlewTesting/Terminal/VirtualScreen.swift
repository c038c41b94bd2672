import CurlewTerminal

/// The window of a terminal that executes control sequences (ECMA-48).
struct VirtualScreen {
  private struct Cell {
    /// A space; empty behind a wide character.
    var text = " "
    var style = ""
  }

  let columns: Int
  let height: Int
  private var cells: [[Cell]]
  private(set) var position = (row: 0, column: 0)
  private(set) var isCaretVisible = false
  private var style = ""
  private var link = ""

  init(columns: Int, rows: Int) {
    (self.columns, height) = (max(1, columns), max(1, rows))
    cells = Array(repeating: Array(repeating: Cell(), count: self.columns), count: height)
  }

  var rows: [String] {
    cells.map { row in
      let text = row.map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the runs of a row with the same style.
  func runs(in row: Int) -> [(text: String, style: String)] {
    guard cells.indices.contains(row) else { return [] }
    return cells[row].reduce(into: []) { runs, cell in
      if runs.last?.style == cell.style {
        runs[runs.count - 1].text += cell.text
      } else {
        runs.append((cell.text, cell.style))
      }
    }
  }

  /// Executes a text with control sequences; returns the first unknown sequence, `nil` if there is none.
  mutating func write(_ text: String) -> String? {
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\u{1B}" {
        let sequence = Self.sequence(in: rest)
        rest = rest[sequence.endIndex...]
        guard execute(sequence) else { return "\u{1B}\(sequence)" }
      } else if character.isASCII, character < " " {
        return String(character)
      } else {
        put(String(character))
      }
    }
    return nil
  }

  /// Returns the sequence at the beginning of a text, without its Escape; a combining mark may follow it.
  private static func sequence(in text: Substring) -> Substring {
    let scalars = text.unicodeScalars
    let isLink = scalars.first == "]"
    let body =
      isLink
      ? scalars.prefix { $0 != "\u{1B}" }
      : scalars.dropFirst().prefix { !$0.properties.isAlphabetic }
    let end = scalars.index(
      body.endIndex, offsetBy: isLink ? 2 : 1, limitedBy: scalars.endIndex)
    return text[..<(end ?? scalars.endIndex)]
  }

  private mutating func execute(_ sequence: Substring) -> Bool {
    if sequence.hasPrefix("]8;;"), sequence.hasSuffix("\u{1B}\\") {
      link = String(sequence.dropFirst(4).dropLast(2))
      return true
    }
    let numbers = sequence.dropFirst().dropLast().split(separator: ";").map { Int($0) ?? 0 }
    switch (sequence.first, sequence.last) {
    case ("[", "H") where numbers.count == 2:
      position = (min(height, numbers[0]) - 1, min(columns, numbers[1]) - 1)
    case ("[", "G") where numbers.count == 1: position.column = min(columns, numbers[0]) - 1
    case ("[", "K"):
      // After the last column, the cursor is still on the last character.
      position.column = min(position.column, columns - 1)
      for column in position.column..<columns { cells[position.row][column] = Cell() }
    case ("[", "J") where numbers == [2]: self = Self(columns: columns, rows: height)
    case ("[", "m"):
      let code = String(sequence.dropFirst().dropLast())
      style = code == "0" ? "" : code
    case ("[", "h") where sequence == "[?25h": isCaretVisible = true
    case ("[", "l") where sequence == "[?25l": isCaretVisible = false
    default: return false
    }
    return true
  }

  /// Writes a character; without line wrapping, the last column is overwritten.
  private mutating func put(_ text: String) {
    let width = text.terminalWidth
    guard width > 0 else { return }
    position.column = min(position.column, columns - width)
    guard position.column >= 0 else {
      position.column = columns
      return
    }
    let style = link.isEmpty ? style : [style, link].filter { !$0.isEmpty }.joined(separator: " ")
    for column in 0..<width {
      cells[position.row][position.column + column] = Cell(
        text: column == 0 ? text : "", style: style)
    }
    position.column += width
  }
}
