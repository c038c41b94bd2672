/// What a view with a diffable data source shows of a screen's list: its rows, placeholder and footer, the text of its
/// search field, and the events that it sends.
///
/// ```swift
/// var presenter = ListPresenter<Repositories, Repository>(\.search) { .search($0) }
/// if let (rows, changed, isAnimated) = presenter.update(to: model.state) { … }
/// ```
public struct ListPresenter<S: Screen, Item: Identifiable & Equatable & Sendable>
where Item.ID: Sendable {
  /// A row of the view, the identifier of a diffable data source.
  public enum Row: Hashable, Sendable {
    /// An item.
    case item(Item.ID)
    /// The ``footer``; after each load it is another row, so that the view displays it again.
    case footer(UInt64)
  }

  /// An action of the user or of the view.
  public enum Action: Sendable {
    /// The view appears.
    case appear
    /// The view is about to display a row.
    case display(Row)
    /// The user selects a row.
    case select(Row)
    /// The user pulls to refresh.
    case refresh
    /// The user retries a failed load.
    case retry
    /// The user types a text into the search field, which may still have the former text.
    case type(String)
    /// The user presses Return in the search field.
    case submit
  }

  private struct Content {
    let items: [Item]
    let placeholder: ListPlaceholder?
    var footer: ListFooter?
    var text: String?
  }

  private let content: (S.State) -> Content
  private let list: (Feed<Item>.Event) -> S.Event?
  private let type: (String) -> S.Event?
  private let submit: S.Event?
  private var shown = Content(items: [], placeholder: .initial)
  private var items: [Item.ID: Item] = [:]
  private var footerNumber: UInt64 = 0
  private var footerMessage: String?

  private init(
    _ content: @escaping (S.State) -> Content, list: @escaping (Feed<Item>.Event) -> S.Event?,
    type: @escaping (String) -> S.Event? = { _ in nil }, submit: S.Event? = nil
  ) {
    (self.content, self.list, self.type, self.submit) = (content, list, type, submit)
  }

  /// Creates a presenter of a screen that is itself a ``Feed``, a ``PagedSearch`` or a ``Search``.
  public init() {
    let presenters: [Any] = [
      ListPresenter<Feed<Item>, Item>(\.self) { $0 },
      ListPresenter<PagedSearch<Item>, Item>(\.self) { $0 },
      ListPresenter<Search<Item>, Item>(\.self) { $0 },
    ]
    guard let presenter = presenters.lazy.compactMap({ $0 as? Self }).first else {
      preconditionFailure("A presenter needs a path to a list of \(Item.self) in \(S.self).")
    }
    self = presenter
  }

  /// Creates a presenter of a feed of a screen.
  ///
  /// - Parameters:
  ///   - list: A closure that returns the feed's state.
  ///   - event: A closure that returns the screen's event for an event of the feed.
  public init(
    _ list: @escaping (S.State) -> Feed<Item>.State,
    event: @escaping (Feed<Item>.Event) -> S.Event
  ) {
    self.init(
      {
        let list = list($0)
        return Content(items: list.items, placeholder: list.placeholder, footer: list.footer)
      }, list: event)
  }

  /// Creates a presenter of a paged search of a screen.
  public init(
    _ search: @escaping (S.State) -> PagedSearch<Item>.State,
    event: @escaping (PagedSearch<Item>.Event) -> S.Event
  ) {
    self.init(
      {
        let search = search($0)
        return Content(
          items: search.list.items, placeholder: search.placeholder, footer: search.list.footer,
          text: search.text)
      }, list: { event(.list($0)) }, type: { event(.term($0)) },
      submit: event(.submit()))
  }

  /// Creates a presenter of a search of a screen.
  public init(
    _ search: @escaping (S.State) -> Search<Item>.State,
    event: @escaping (Search<Item>.Event) -> S.Event
  ) {
    self.init(
      {
        let search = search($0)
        return Content(items: search.items, placeholder: search.placeholder, text: search.text)
      }, list: { $0 == .retry ? event(.retry) : nil },
      type: { event(.term($0)) }, submit: event(.submit))
  }

  /// The placeholder to show instead of rows.
  public var placeholder: ListPlaceholder? { shown.placeholder }
  /// The footer that the last row shows.
  public var footer: ListFooter? { shown.footer }
  /// The text of the search field; `nil` for a feed.
  public var text: String? { shown.text }

  /// The item that a row shows; `nil` for the footer.
  public subscript(row: Row) -> Item? {
    if case .item(let id) = row { items[id] } else { nil }
  }

  /// Adopts a state of the screen, and the activity of its countdowns.
  ///
  /// - Returns: The rows to show, the rows among them whose content has changed, and whether to animate the difference,
  ///   because an item stays; `nil` if no row has changed.
  public mutating func update(
    to state: S.State, _ activity: ScreenActivity = ScreenActivity()
  ) -> (rows: [Row], changed: [Row], isAnimated: Bool)? {
    let (former, formerItems, formerNumber, formerMessage) = (
      shown, items, footerNumber, footerMessage
    )
    shown = content(state)
    footerMessage = footer?.placeholder.message(in: activity)
    let isFooterChanged = footer != former.footer || footerMessage != formerMessage
    guard shown.items != former.items || isFooterChanged else { return nil }
    items = Dictionary(shown.items.map { ($0.id, $0) }) { first, _ in first }
    var rows = shown.items.map { Row.item($0.id) }
    var changed = shown.items.filter { item in formerItems[item.id].map { $0 != item } ?? false }
      .map { Row.item($0.id) }
    if case .more(let number) = footer { footerNumber = number }
    if footer != nil {
      rows.append(.footer(footerNumber))
      if former.footer != nil, isFooterChanged, formerNumber == footerNumber {
        changed.append(.footer(footerNumber))
      }
    }
    return (rows, changed, shown.items.contains { formerItems[$0.id] != nil })
  }

  /// Returns the event to send for an action; `nil` if there is none.
  public func event(_ action: Action) -> S.Event? {
    switch (action, footer) {
    case (.appear, _): list(.load)
    case (.display(.item(let id)), _): list(.appeared(id))
    case (.display(.footer), .more): list(.more)
    case (.refresh, _): list(.refresh)
    // The user retries a failed page.
    case (.retry, _), (.select(.footer), .failed): list(.retry)
    case (.type(let text), _): text == self.text ? nil : type(text)
    case (.submit, _): submit
    case (.display, _), (.select, _): nil
    }
  }
}
