public import CurlewScreens
import Testing

/// A simulated view of a list, which shows as many rows as fit: rows that become visible send their event once, and the
/// end of the list its own, as in a table on a device.
///
/// ```swift
/// let probe = ScreenProbe(feed)
/// let viewport = Viewport(probe, height: 20)
/// probe.send(.load)
/// viewport.layout()
/// viewport.scrollToEnd()
/// #expect(viewport.visible.last == 30)
/// ```
///
/// Each row and the footer have the height 1. A row that stays visible while the state changes sends nothing.
public final class Viewport<S: Screen, ID: Hashable & Sendable> {
  private let probe: ScreenProbe<S>
  private let height: Int
  private let rows: (S.State) -> [ID]
  private let appeared: (ID) -> S.Event
  private let footer: (S.State) -> ListFooter?
  private let more: S.Event?
  private var offset = 0
  /// The ids of the visible rows, from the top.
  public private(set) var visible: [ID] = []
  /// The footer, if it is visible.
  public private(set) var visibleFooter: ListFooter?

  /// Creates a viewport on the rows of a screen, at the top.
  ///
  /// - Parameters:
  ///   - probe: The running screen.
  ///   - height: The number of rows that fit.
  ///   - rows: A closure that returns the ids of a state's rows.
  ///   - appeared: A closure that returns the event of a row that becomes visible.
  ///   - footer: A closure that returns the footer of a state's rows.
  ///   - more: The event of a footer that becomes visible, or changes while it is visible, if there is another page.
  public init(
    _ probe: ScreenProbe<S>, height: Int, rows: @escaping (S.State) -> [ID],
    appeared: @escaping (ID) -> S.Event, footer: @escaping (S.State) -> ListFooter? = { _ in nil },
    more: S.Event? = nil
  ) {
    precondition(height > 0, "a viewport shows at least one row")
    (self.probe, self.height, self.rows, self.appeared) = (probe, height, rows, appeared)
    (self.footer, self.more) = (footer, more)
  }

  /// Creates a viewport on a feed that is a part of a screen, at the top.
  public convenience init<Item>(
    _ probe: ScreenProbe<S>, height: Int, of list: @escaping (S.State) -> Feed<Item>.State,
    event: @escaping (Feed<Item>.Event) -> S.Event
  ) where ID == Item.ID {
    self.init(
      probe, height: height, rows: { list($0).items.map(\.id) }, appeared: { event(.appeared($0)) },
      footer: { list($0).footer }, more: event(.more))
  }

  /// Creates a viewport on a feed, at the top.
  public convenience init<Item>(_ probe: ScreenProbe<S>, height: Int)
  where S == Feed<Item>, ID == Item.ID {
    self.init(probe, height: height, of: { $0 }, event: { $0 })
  }

  /// Shows the current state, and sends the events of what becomes visible, until nothing more does.
  public func layout() {
    while true {
      let (rows, footer) = (rows(probe.state), footer(probe.state))
      offset = max(0, min(offset, rows.count + (footer == nil ? 0 : 1) - height))
      let shown = Array(rows[min(offset, rows.count)..<min(rows.count, offset + height)])
      let shownFooter = offset + height > rows.count ? footer : nil
      let former = Set(visible)
      var events = shown.filter { !former.contains($0) }.map(appeared)
      if let more, case .more = shownFooter, shownFooter != visibleFooter { events.append(more) }
      (visible, visibleFooter) = (shown, shownFooter)
      for event in events { probe.send(event) }
      if events.isEmpty { return }
    }
  }

  /// Scrolls down by a number of rows, or up if the number is negative, as far as there are rows.
  public func scroll(by count: Int) {
    offset = max(0, offset + count)
    layout()
  }

  /// Scrolls down, one row at a time, until the footer is visible or, without a footer, the last row.
  public func scrollToEnd() {
    layout()
    while true {
      let footer = footer(probe.state)
      let isAtEnd = footer.map { visibleFooter == $0 } ?? (visible.last == rows(probe.state).last)
      if isAtEnd { return }
      scroll(by: 1)
    }
  }
}
