/// A column of a list: the text of an item.
public struct Column<Item>: Sendable {
  let title: String
  /// The minimum width; `nil` if the column is never narrowed.
  var least: Int?
  var alignsRight = false
  /// Returns the text of an item.
  let text: @Sendable (Item) -> String
  /// Colours an item's text, which may have been truncated or padded.
  var paint: @Sendable (String, Item, Terminal.Colors) -> String = { text, _, _ in text }

  /// Creates a column of text, which is truncated to at least `least` characters if necessary.
  public static func text(
    _ title: String, least: Int = 8, _ text: @escaping @Sendable (Item) -> String
  ) -> Self {
    Self(title: title, least: least, text: text)
  }

  /// Creates a column of short texts; only extremely long texts are truncated.
  public static func word(_ title: String, _ text: @escaping @Sendable (Item) -> String) -> Self {
    Self(title: title, text: text)
  }

  /// Creates a column of numbers, aligned to the right; only extremely long numbers are truncated.
  public static func number(_ title: String, _ text: @escaping @Sendable (Item) -> String) -> Self {
    Self(title: title, alignsRight: true, text: text)
  }

  /// Creates a column of labels, each on its colour of six hexadecimal digits.
  public static func labels(
    _ title: String, least: Int = 8,
    _ labels: @escaping @Sendable (Item) -> [(text: String, color: String)]
  ) -> Self {
    var column = Self.text(title, least: least) { item in
      labels(item).map(\.text).joined(separator: ", ")
    }
    column.paint = { text, item, colors in
      var rest = text[...]
      return labels(item).reduce(into: "") { result, label in
        let name = rest.prefix(label.text.printable.count)
        rest = rest.dropFirst(name.count)
        result += String(name).on(label.color, in: colors) + rest.prefix(2)
        rest = rest.dropFirst(2)
      } + rest
    }
    return column
  }

  /// The column in a faint colour.
  public var faint: Self {
    var column = self
    column.paint = { text, _, colors in text.styled("2", in: colors) }
    return column
  }
}

extension Array {
  /// Returns a table of items with a line of headings, for a command's output; fitted to the terminal's width.
  ///
  /// If there is not enough space, text columns are narrowed, then the rightmost columns are omitted. The first text column
  /// and the columns to its left always remain.
  public func table<Item>(of items: [Item], on terminal: Terminal) -> [String]
  where Element == Column<Item> {
    let table = Table(self, measuring: items[...], on: terminal)
    return ([table.heading] + items.map(table.line)).map(terminal.encoded)
  }
}

/// Columns with their widths.
struct Table<Item> {
  private let columns: [Column<Item>]
  private let widths: [Int]
  private let terminal: Terminal

  /// Chooses the widths.
  ///
  /// - Parameter items: The items whose texts have to fit if there is enough space.
  init(_ columns: [Column<Item>], measuring items: ArraySlice<Item>, on terminal: Terminal) {
    (self.columns, self.terminal) = (columns, terminal)
    let natural = columns.map { column in
      items.reduce(column.title.printable.terminalWidth) {
        max($0, column.text($1).printable.terminalWidth)
      }
    }
    widths = Self.widths(columns, natural, within: terminal.width)
  }

  /// The line of the titles.
  var heading: String {
    line(columns.map(\.title.printable)) { $1.styled("2", in: terminal.colors) }
  }

  /// Returns the line of an item.
  func line(_ item: Item) -> String {
    line(columns.prefix(widths.count).map { $0.text(item).printable }) {
      columns[$0].paint($1, item, terminal.colors)
    }
  }

  private func line(_ texts: [String], _ paint: (Int, String) -> String) -> String {
    let last = widths.indices.last { texts[$0].contains { $0 != " " } } ?? -1
    let cells = widths.indices.prefix(last + 1).map { index in
      let (column, width) = (columns[index], widths[index])
      let text = terminal.width == nil ? texts[index] : texts[index].fitted(to: width)
      let isLast = index == last && !column.alignsRight
      return paint(
        index, isLast ? text : text.padded(to: width, alignsRight: column.alignsRight))
    }
    return cells.joined(separator: "  ")
  }

  /// Returns the widths of the visible columns.
  private static func widths(
    _ columns: [Column<Item>], _ natural: [Int], within limit: Int?
  ) -> [Int] {
    // If output is not a terminal, longer texts shift the rest of their row.
    guard let limit else { return natural.map { min($0, 80) } }
    var widths = columns.indices.map { index in
      // Number columns are limited, because they precede the title, which also needs space.
      let most = columns[index].alignsRight ? max(8, limit / 4) : 40
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
