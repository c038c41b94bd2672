/// A column of a table of items.
package struct Column<Item> {
  let title: String
  /// The columns of the terminal that it keeps at least; `nil` for one that never becomes narrower.
  var least: Int?
  var alignsRight = false
  /// The text of an item.
  let text: (Item) -> String
  /// Colours an item's text, which may have been cut off or padded.
  var paint: (String, Item, Terminal.Colors) -> String = { text, _, _ in text }

  /// A column of text, which is cut off where there is no space for it.
  package static func text(_ title: String, least: Int, _ text: @escaping (Item) -> String) -> Self
  {
    Self(title: title, least: least, text: text)
  }

  /// A column of short texts, cut off only where one is unreasonably long.
  package static func word(_ title: String, _ text: @escaping (Item) -> String) -> Self {
    Self(title: title, text: text)
  }

  /// The column in a fainter colour.
  var faint: Self {
    var column = self
    column.paint = { text, _, colors in text.styled("2", in: colors) }
    return column
  }

  /// A column of numbers, cut off only where one is unreasonably long.
  package static func number(_ title: String, _ text: @escaping (Item) -> String) -> Self {
    Self(title: title, alignsRight: true, text: text)
  }

  /// A column of counts, with a dash for one that is not known.
  package static func count(_ title: String, _ count: @escaping (Item) -> Int?) -> Self {
    number(title) { item in count(item).map { "\($0)" } ?? "–" }
  }
}

/// Items in rows under headings.
package struct Table<Item> {
  /// Texts of columns that do not become narrower are cut beyond this.
  private static var longest: Int { 40 }

  /// Text beyond this pushes its own row on where lines may have any length.
  private static var most: Int { 80 }

  package let columns: [Column<Item>]
  let items: [Item]

  package init(columns: [Column<Item>], items: [Item]) {
    (self.columns, self.items) = (columns, items)
  }

  /// The lines, each within the terminal's width.
  ///
  /// Where there is no space, columns of text become narrower, then those at the right go; the first
  /// column of text, and what is left of it, always stay.
  package func lines(on terminal: Terminal) -> [String] {
    let rows = items.map { item in columns.map { $0.text(item).printable } }
    let widths = widths(of: rows, within: terminal.width)
    func line(_ texts: [String], _ paint: (Int, String) -> String) -> String {
      let cells = widths.indices.map { index in
        let column = columns[index]
        let text = terminal.width == nil ? texts[index] : texts[index].fitted(to: widths[index])
        return paint(index, text.padded(to: widths[index], alignsRight: column.alignsRight))
      }
      // Without spaces at the end, before or within the last style.
      return cells.joined(separator: "  ").replacing(#/ +(\u{1B}\[0m)? *$/#) { $0.1 ?? "" }
    }
    return [line(columns.map(\.title)) { $1.styled("2", in: terminal.colors) }]
      + zip(items, rows).map { item, texts in
        line(texts) { columns[$0].paint($1, item, terminal.colors) }
      }
  }

  /// The widths of the columns that are shown.
  private func widths(of texts: [[String]], within limit: Int?) -> [Int] {
    let natural = columns.indices.map { index in
      texts.reduce(columns[index].title.count) { max($0, $1[index].terminalWidth) }
    }
    guard let limit else { return natural.map { min($0, Self.most) } }
    var widths = columns.indices.map { index in
      // Numbers come before the title, which needs space, too.
      let most = columns[index].alignsRight ? max(8, limit / 4) : Self.longest
      return min(columns[index].least ?? most, natural[index])
    }
    var space: Int { limit - widths.reduce(0, +) - 2 * (widths.count - 1) }
    let title = columns.firstIndex { $0.least != nil } ?? 0
    while space < 0, widths.count > title + 1 { widths.removeLast() }
    // The narrowest wish is granted first, so that one long text does not starve the others.
    for index in widths.indices.sorted(by: { natural[$0] < natural[$1] })
    where columns[index].least != nil {
      widths[index] = max(1, widths[index] + min(natural[index] - widths[index], space))
    }
    return widths
  }
}
