/// The details of an item in a terminal: facts with names, and a text.
package struct TerminalDetail {
  let title: String
  var facts: [(name: String, value: String)] = []
  var text = ""

  /// Returns the lines, wrapped to the terminal's width.
  func lines(on terminal: Terminal) -> [String] {
    let width = terminal.width ?? 80
    let facts = facts.filter { !$0.value.isEmpty }
    let indent = min(facts.map { $0.name.terminalWidth + 2 }.max() ?? 0, width / 2)
    let table = facts.flatMap { name, value in
      value.printable.wrapped(to: width - indent).enumerated().map { index, line in
        (index == 0 ? name.fitted(to: indent - 1) : "").padded(to: indent)
          .styled("2", in: terminal.colors) + line
      }
    }
    let paragraphs =
      text.split(whereSeparator: \.isNewline).count == 0
      ? []
      : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .flatMap { $0.isEmpty ? [""] : String($0).printable.wrapped(to: width) }
    let heading = title.printable.wrapped(to: width).map { $0.styled("1", in: terminal.colors) }
    return [title.isEmpty ? [] : heading, table, paragraphs].filter { !$0.isEmpty }
      .joined(separator: [""]).map { $0 }
  }
}

extension String {
  /// Returns the text in lines of at most `width` columns, wrapped at spaces if possible.
  package func wrapped(to width: Int) -> [String] {
    let width = max(2, width)
    var (lines, line, used) = ([String](), "", 0)
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let length = String(word).terminalWidth
      if used > 0, used + 1 + length <= width {
        line += " " + word
        used += 1 + length
        continue
      }
      if used > 0 {
        lines.append(line)
        (line, used) = ("", 0)
      }
      for character in word {
        if used + character.terminalWidth > width {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += character.terminalWidth
      }
    }
    return used > 0 || lines.isEmpty ? lines + [line] : lines
  }
}
