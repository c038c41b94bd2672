public import CurlewScreens

/// A list of a screen in a terminal: one row for each item.
///
/// Only visible rows are drawn; the widths of the columns follow the first hundred rows and the visible ones.
public struct List<Event: Sendable>: Sendable {
  private(set) var content: ListContent

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - id: A closure that returns the identity of an item, by which the selected row is kept.
  ///   - columns: The description of a row, which a command can print, too (`columns.table(of:on:)`).
  ///   - more: The event that loads more rows, sent once for each number of rows when the last row is near.
  ///   - footer: The text below the last row.
  ///   - placeholder: The sentence in place of rows.
  ///   - isOld: Whether the rows are outdated, or belong to another request.
  ///   - open: A closure that returns the action of Enter or a click on the selected row.
  ///   - shortcuts: A closure that returns the keys for an item.
  public init<Item: Sendable, ID: Hashable & SendableMetatype>(
    _ items: [Item], id: @escaping @Sendable (Item) -> ID,
    columns: [Column<Item>], more: Event? = nil, footer: String? = nil, placeholder: String? = nil,
    isOld: Bool = false,
    open: @escaping @Sendable (Item) -> TerminalAction<Event>? = { _ in nil },
    shortcuts: @escaping @Sendable (Item) -> [Shortcut<Event>] = { _ in [] }
  ) {
    content = ListContent(
      count: items.count, id: { AnyHashable(id(items[$0])) },
      rows: ListContent.rows(items, columns),
      open: { open(items[$0])?.command },
      shortcuts: { index in shortcuts(items[index]).map(\.content) },
      more: more.map { (UInt64(items.count), .send([$0])) }, footer: footer,
      placeholder: placeholder, isOld: isOld)
  }

  /// Creates a list of a feed, which loads its next page when the last row is near.
  ///
  /// Send `.load` when the screen begins: `TerminalApp(feed, start: [.load]) { … }`.
  ///
  /// - Parameters:
  ///   - feed: The feed's state.
  ///   - columns: The description of a row.
  ///   - event: A closure that returns the screen's event for an event of the feed.
  ///   - open: A closure that returns the action of Enter or a click on the selected row.
  ///   - shortcuts: A closure that returns the keys for an item.
  public init<Item>(
    _ feed: Feed<Item>.State, columns: [Column<Item>],
    event: (Feed<Item>.Event) -> Event,
    open: @escaping @Sendable (Item) -> TerminalAction<Event>? = { _ in nil },
    shortcuts: @escaping @Sendable (Item) -> [Shortcut<Event>] = { _ in [] }
  ) {
    let footer: String? =
      switch feed.footer {
      case .loading: "…"
      case .failed(let failure): failure.message
      case .more, nil: nil
      }
    var placeholder: String?
    if case .empty? = feed.placeholder {
      placeholder = feed.placeholder?.message(in: ScreenActivity())
    }
    self.init(
      feed.items, id: \.id, columns: columns, footer: footer, placeholder: placeholder,
      isOld: feed.status == .loading(.first), open: open, shortcuts: shortcuts)
    if case .more(let page) = feed.footer { content.more = (page, .send([event(.more)])) }
    content.reload = .send([event(.refresh)])
  }
}

/// A list without the types of its items and events.
struct ListContent: Sendable {
  /// The heading, empty without titles, and the lines of a range of rows.
  typealias Rows = @Sendable (Range<Int>, Terminal) -> (heading: String, lines: [String])

  let count: Int
  let id: @Sendable (Int) -> AnyHashable
  let rows: Rows
  let open: @Sendable (Int) -> TerminalCommand?
  let shortcuts: @Sendable (Int) -> [ShortcutContent]
  /// The command that loads more rows, and the number that differs for each page.
  var more: (page: UInt64, command: TerminalCommand)?
  let footer: String?
  let placeholder: String?
  let isOld: Bool
  var reload: TerminalCommand?

  /// Returns a closure that lays out rows, fitted to the terminal's width.
  static func rows<Item: Sendable>(_ items: [Item], _ columns: [Column<Item>]) -> Rows {
    { range, terminal in
      // In a very narrow window, numbers are the least useful columns.
      let isNarrow = (terminal.width ?? 80) < 32
      var shown = isNarrow ? columns.filter { !$0.alignsRight } : columns
      // The title gets more space, because a truncated title is less useful than the columns on the right.
      if let title = shown.firstIndex(where: { $0.least != nil }) { shown[title].least = 44 }
      let table = Table(shown, measuring: items.prefix(100) + items[range], on: terminal)
      return (table.heading, items[range].map(table.line))
    }
  }
}
