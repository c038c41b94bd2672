/// The rows of a page in a terminal.
package struct TerminalList {
  /// What Enter does with a row.
  package enum Opening {
    case command(TerminalCommand)
    /// Shows the row at length, which is no news for the page.
    case detail(TerminalDetail)
  }

  /// What tells the rows apart.
  let keys: [String]
  let open: (Int) -> Opening?
  /// The letters that do something with a row.
  var shortcuts: (Int) -> [TerminalShortcut] = { _ in [] }
  /// Loads what comes after the last row; `nil` for nothing.
  var more: TerminalCommand?
  /// The text below the last row.
  var footer: String?
  /// Whether the rows are those of something else, or not the newest.
  var isOld = false
  private let table: (Terminal) -> [String]
  private let cache = Cache()

  /// The lines that were drawn last: to move in a list changes none.
  private final class Cache {
    var terminal: Terminal?
    var lines: [String] = []
  }

  /// Lists items in columns.
  init<Item>(
    _ items: [Item], key: (Item) -> String, _ columns: [Column<Item>],
    open: @escaping (Item) -> Opening?
  ) {
    keys = items.map(key)
    self.open = { open(items[$0]) }
    // A title that is cut off after a few words says less than the columns at the right.
    var columns = columns
    if let title = columns.firstIndex(where: { $0.least != nil }) { columns[title].least = 44 }
    table = { [columns] terminal in
      // Where hardly anything can be shown, numbers say least.
      let isNarrow = (terminal.width ?? 80) < 32
      let shown = isNarrow ? columns.filter { !$0.alignsRight } : columns
      return Table(columns: shown, items: items).lines(on: terminal)
    }
  }

  /// Lists items in columns, with what is around them on a page.
  init<Item>(
    _ items: [Item], key: (Item) -> String, _ columns: [Column<Item>], in list: ListView,
    open: @escaping (Item) -> Opening?
  ) {
    self.init(items, key: key, columns, open: open)
    more = list.more?.last.map { .act("appeared", $0) }
    footer = list.more?.title ?? list.end
    isOld = list.isOld
  }

  /// Lists texts to begin with, each at an address of a page.
  init(_ examples: [ExampleView], of path: String) {
    self.init(examples, key: \.query, [.text("", least: 8, \.text)]) {
      .command(.open(path + $0.query))
    }
  }

  /// The rows, and before them a line of headings, each within the terminal's width.
  func lines(on terminal: Terminal) -> [String] {
    if cache.terminal != terminal { (cache.terminal, cache.lines) = (terminal, table(terminal)) }
    return cache.lines
  }
}
