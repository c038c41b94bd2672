package import CurlewTerminal

extension String {
  /// Returns the text padded to at least `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - terminalWidth))
  }

  /// Returns the text in a style, such as `1` for bold or `2` for faint (ECMA-48, SGR); unchanged without colours.
  func styled(_ code: String, on terminal: Terminal) -> String {
    terminal.colors == .none || isEmpty ? self : "\u{1B}[\(code)m\(self)\u{1B}[0m"
  }
}

extension Column {
  /// Creates a column of counts, with a dash for unknown counts.
  package static func count(
    _ title: String, _ count: @escaping @Sendable (Item) -> Int?
  ) -> Self {
    number(title) { item in count(item).map { "\($0)" } ?? "–" }
  }
}
