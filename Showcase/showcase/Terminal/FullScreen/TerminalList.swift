/// The list of a page in a terminal.
package struct TerminalList {
  /// The effect of Enter on a row.
  package enum Opening {
    case command(TerminalCommand)
    /// Shows the details of the row, without an action of the page.
    case detail(TerminalDetail)
  }

  /// The unique keys of the rows.
  let keys: [String]
  let open: (Int) -> Opening?
  /// Returns the shortcuts for a row.
  var shortcuts: (Int) -> [TerminalShortcut] = { _ in [] }
  /// The command that loads more rows; `nil` for none.
  var more: TerminalCommand?
  /// The text below the last row.
  var footer: String?
  /// Whether the rows are outdated, or belong to another request.
  var isOld = false
  private let table: (Terminal) -> [String]
  private let cache = Cache()

  /// The last rendered lines, because moving the selection doesn't change them.
  private final class Cache {
    var terminal: Terminal?
    var lines: [String] = []
  }

  /// Creates a list of items in columns.
  init<Item>(
    _ items: [Item], key: (Item) -> String, _ columns: [Column<Item>],
    open: @escaping (Item) -> Opening?
  ) {
    keys = items.map(key)
    self.open = { open(items[$0]) }
    // The title gets more space, because a truncated title is less useful than the columns on the
    // right.
    var columns = columns
    if let title = columns.firstIndex(where: { $0.least != nil }) { columns[title].least = 44 }
    table = { [columns] terminal in
      // In a very narrow window, numbers are the least useful columns.
      let isNarrow = (terminal.width ?? 80) < 32
      let shown = isNarrow ? columns.filter { !$0.alignsRight } : columns
      return Table(columns: shown, items: items).lines(on: terminal)
    }
  }

  /// Creates a list of items in columns, with the state of a page's list.
  init<Item>(
    _ items: [Item], key: (Item) -> String, _ columns: [Column<Item>], in list: ListView,
    open: @escaping (Item) -> Opening?
  ) {
    self.init(items, key: key, columns, open: open)
    more = list.more?.last.map { .act("appeared", $0) }
    footer = list.more?.title ?? list.end
    isOld = list.isOld
  }

  /// Creates a list of examples with their addresses on a page.
  init(_ examples: [ExampleView], of path: String) {
    self.init(examples, key: \.query, [.text("", least: 8, \.text)]) {
      .command(.open(path + $0.query))
    }
  }

  /// Returns the lines of headings and rows, fitted to the terminal's width.
  func lines(on terminal: Terminal) -> [String] {
    if cache.terminal != terminal { (cache.terminal, cache.lines) = (terminal, table(terminal)) }
    return cache.lines
  }
}
