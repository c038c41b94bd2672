/// A column of a table of items.
package struct Column<Item> {
  let title: String
  /// The minimum width; `nil` if the column is never narrowed.
  var least: Int?
  var alignsRight = false
  /// Returns the text of an item.
  let text: (Item) -> String
  /// Colours an item's text, which may have been truncated or padded.
  var paint: (String, Item, Terminal.Colors) -> String = { text, _, _ in text }

  /// Creates a column of text, which is truncated if necessary.
  package static func text(_ title: String, least: Int, _ text: @escaping (Item) -> String) -> Self
  {
    Self(title: title, least: least, text: text)
  }

  /// Creates a column of short texts; only extremely long texts are truncated.
  package static func word(_ title: String, _ text: @escaping (Item) -> String) -> Self {
    Self(title: title, text: text)
  }

  /// The column in a faint colour.
  var faint: Self {
    var column = self
    column.paint = { text, _, colors in text.styled("2", in: colors) }
    return column
  }

  /// Creates a column of numbers; only extremely long numbers are truncated.
  package static func number(_ title: String, _ text: @escaping (Item) -> String) -> Self {
    Self(title: title, alignsRight: true, text: text)
  }

  /// Creates a column of counts, with a dash for unknown counts.
  package static func count(_ title: String, _ count: @escaping (Item) -> Int?) -> Self {
    number(title) { item in count(item).map { "\($0)" } ?? "–" }
  }
}

/// A table of items with headings.
package struct Table<Item> {
  /// The maximum width of columns that are never narrowed.
  private static var longest: Int { 40 }

  /// The maximum column width when output is not a terminal; longer texts shift the rest of their
  /// row.
  private static var most: Int { 80 }

  package let columns: [Column<Item>]
  let items: [Item]

  package init(columns: [Column<Item>], items: [Item]) {
    (self.columns, self.items) = (columns, items)
  }

  /// Returns the lines, fitted to the terminal's width.
  ///
  /// If there is not enough space, text columns are narrowed, then the rightmost columns are
  /// omitted. The first text column and the columns to its left always remain.
  package func lines(on terminal: Terminal) -> [String] {
    let rows = items.map { item in columns.map { $0.text(item).printable } }
    let widths = widths(of: rows, within: terminal.width)
    func line(_ texts: [String], _ paint: (Int, String) -> String) -> String {
      let cells = widths.indices.map { index in
        let column = columns[index]
        let text = terminal.width == nil ? texts[index] : texts[index].fitted(to: widths[index])
        return paint(index, text.padded(to: widths[index], alignsRight: column.alignsRight))
      }
      // Trailing spaces are removed, before or within the last style.
      return cells.joined(separator: "  ").replacing(#/ +(\u{1B}\[0m)? *$/#) { $0.1 ?? "" }
    }
    return [line(columns.map(\.title)) { $1.styled("2", in: terminal.colors) }]
      + zip(items, rows).map { item, texts in
        line(texts) { columns[$0].paint($1, item, terminal.colors) }
      }
  }

  /// Returns the widths of the visible columns.
  private func widths(of texts: [[String]], within limit: Int?) -> [Int] {
    let natural = columns.indices.map { index in
      texts.reduce(columns[index].title.count) { max($0, $1[index].terminalWidth) }
    }
    guard let limit else { return natural.map { min($0, Self.most) } }
    var widths = columns.indices.map { index in
      // Number columns are limited, because they precede the title, which also needs space.
      let most = columns[index].alignsRight ? max(8, limit / 4) : Self.longest
      return min(columns[index].least ?? most, natural[index])
    }
    var space: Int { limit - widths.reduce(0, +) - 2 * (widths.count - 1) }
    let title = columns.firstIndex { $0.least != nil } ?? 0
    while space < 0, widths.count > title + 1 { widths.removeLast() }
    // The narrowest columns get their width first, so that one long text doesn't use all the space.
    for index in widths.indices.sorted(by: { natural[$0] < natural[$1] })
    where columns[index].least != nil {
      widths[index] = max(1, widths[index] + min(natural[index] - widths[index], space))
    }
    return widths
  }
}
