import Foundation

/// A text of a screen in a terminal, such as the details of an item: a title, facts with names, and paragraphs.
public struct Text: Sendable {
  let title: String
  let facts: [(name: String, value: String)]
  let paragraphs: String

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - paragraphs: The paragraphs, in lines that are wrapped to the window.
  ///   - title: The title.
  ///   - facts: Values with their names; empty values are left out, and web addresses are links.
  public init(
    _ paragraphs: String = "", title: String = "", facts: [(name: String, value: String)] = []
  ) {
    (self.paragraphs, self.title, self.facts) = (paragraphs, title, facts)
  }

  /// Returns the lines, wrapped to the terminal's width.
  func lines(on terminal: Terminal) -> [String] {
    let width = terminal.width ?? 80
    let facts = facts.filter { !$0.value.isEmpty }
    let indent = min(facts.map { $0.name.terminalWidth + 2 }.max() ?? 0, width / 2)
    let table = facts.flatMap { name, value in
      value.printable.wrapped(to: width - indent).enumerated().map { index, line in
        (index == 0 ? name.printable.fitted(to: indent - 1) : "").padded(to: indent)
          .styled("2", in: terminal.colors) + line.linked(to: value, in: terminal.colors)
      }
    }
    let lines =
      paragraphs.allSatisfy(\.isNewline)
      ? []
      : paragraphs.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .flatMap { $0.isEmpty ? [""] : String($0).printable.wrapped(to: width) }
    let heading = title.printable.wrapped(to: width).map { $0.styled("1", in: terminal.colors) }
    return Array(
      [title.isEmpty ? [] : heading, table, lines].filter { !$0.isEmpty }.joined(separator: [""]))
  }
}

extension String {
  /// Returns the text in lines of at most `width` columns, wrapped at spaces if possible.
  func wrapped(to width: Int) -> [String] {
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

  /// Returns the text as a link to a web address (OSC 8); unchanged for any other text.
  fileprivate func linked(to address: String, in colors: Terminal.Colors) -> String {
    guard colors != .none, address.hasPrefix("https://") || address.hasPrefix("http://"),
      address.utf8.count <= 2_000, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return self }
    return "\u{1B}]8;;\(address)\u{1B}\\\(self)\u{1B}]8;;\u{1B}\\"
  }
}
