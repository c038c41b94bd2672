/// The user's position on a page in a terminal: the focus, the caret, the selected row, the opened
/// row.
///
/// Keys change it; the page receives commands.
package struct TerminalControls {
  /// The element that receives the keys.
  package enum Focus: Equatable, Sendable {
    case field(Int)
    case choice(Int)
    case list
    case detail
  }

  package internal(set) var focus: Focus
  /// The number of characters before the caret in the focused field.
  package internal(set) var caret = 0
  /// The index of the selected row.
  package internal(set) var row = 0
  /// Whether all keys are shown instead of the list and the details.
  package internal(set) var showsKeys = false
  /// The index of the first visible row, and of the first visible line of the details.
  var rowOffset = 0
  var detailOffset = 0
  /// The number of visible rows, and of visible lines of the details.
  var rowCount = 1
  var detailCount = 1
  /// The number of lines of the details.
  var detailTotal = 0
  /// Whether the details are beside the list.
  var isWide = false
  private var selected: String?
  /// The row whose details are shown.
  private var opened: String?
  private var hadDetail = false
  private let isOnTop: Bool
  /// The last requested command for loading more rows.
  private var asked: TerminalCommand?

  /// Creates controls with the focus on the first empty field, or on the list.
  ///
  /// - Parameter isOnTop: Whether Escape returns to a previous screen instead of clearing the
  ///   field.
  package init(in view: TerminalView, isOnTop: Bool = false) {
    focus = .list
    self.isOnTop = isOnTop
    if let field = view.content.fields.firstIndex(where: \.text.isEmpty) { focus = .field(field) }
    settle(in: view)
  }

  /// Returns the index of the selected row; `nil` if there are no rows.
  package func selection(in view: TerminalView) -> Int? {
    guard let keys = view.content.list?.keys, !keys.isEmpty else { return nil }
    return min(row, keys.count - 1)
  }

  /// Returns whether the details replace the list.
  func isCovered(in view: TerminalView) -> Bool {
    !isWide && view.content.list != nil && detail(in: view) != nil
  }

  /// Returns the shown details.
  func detail(in view: TerminalView) -> TerminalDetail? {
    if let detail = view.content.detail { return detail }
    guard let opened, let list = view.content.list,
      let index = list.keys.firstIndex(of: opened), case .detail(let detail) = list.open(index)
    else { return nil }
    return detail
  }

  /// Adapts to changes of the page; keeps the selected row.
  mutating func settle(in view: TerminalView) {
    let keys = view.content.list?.keys ?? []
    if let selected, keys.indices.contains(row), keys[row] != selected {
      row = keys.firstIndex(of: selected) ?? row
    } else if selected == nil {
      row = 0
    }
    row = max(0, min(row, keys.count - 1))
    selected = keys.isEmpty ? nil : keys[row]
    let hasDetail = detail(in: view) != nil
    if hasDetail != hadDetail {
      (hadDetail, detailOffset) = (hasDetail, 0)
      if hasDetail { focus = .detail }
    }
    switch focus {
    case .field(let index) where index >= view.content.fields.count: focus = .list
    case .field(let index): caret = min(caret, view.content.fields[index].text.count)
    case .choice(let index) where index >= view.content.choices.count: focus = .list
    case .detail where !hasDetail: focus = .list
    case .list where hasDetail && !isWide: focus = .detail
    case .choice, .list, .detail: break
    }
  }

  /// Returns the focusable elements in the order of the Tab key.
  private func stops(in view: TerminalView) -> [Focus] {
    let hasDetail = detail(in: view) != nil
    let hasList = view.content.list?.keys.isEmpty == false && (isWide || !hasDetail)
    return view.content.fields.indices.map { .field($0) }
      + view.content.choices.indices.map { .choice($0) } + (hasList ? [.list] : [])
      + (hasDetail ? [.detail] : [])
  }

  mutating func move(to focus: Focus, in view: TerminalView) {
    self.focus = focus
    if case .field(let index) = focus { caret = view.content.fields[index].text.count }
  }

  mutating func moveFocus(by step: Int, in view: TerminalView) {
    let stops = stops(in: view)
    guard !stops.isEmpty else { return }
    let index = stops.firstIndex(of: focus) ?? (step > 0 ? -1 : 0)
    move(to: stops[(index + step + stops.count) % stops.count], in: view)
  }

  /// Selects a row.
  mutating func select(_ index: Int, in view: TerminalView) {
    guard let list = view.content.list, !list.keys.isEmpty else { return }
    row = max(0, min(index, list.keys.count - 1))
    selected = list.keys[row]
  }

  /// Returns the command that loads more rows if the last row is visible or near; once for each
  /// last row.
  package mutating func wanted(in view: TerminalView) -> TerminalCommand? {
    guard let list = view.content.list, let more = list.more else {
      asked = nil
      return nil
    }
    guard rowOffset + 2 * rowCount >= list.keys.count, asked != more else { return nil }
    asked = more
    return more
  }

  /// Opens the selected row.
  mutating func open(in view: TerminalView) -> [TerminalCommand] {
    guard let index = selection(in: view), let list = view.content.list else { return [] }
    switch list.open(index) {
    case .command(let command): return [command]
    case .detail:
      opened = list.keys[index]
      detailOffset = 0
      settle(in: view)
      if detail(in: view) != nil { focus = .detail }
      return []
    case nil: return []
    }
  }

  /// Performs the first possible action of Escape: leaves the field, closes the details, clears the
  /// field, or leaves the screen.
  mutating func escape(in view: TerminalView) -> [TerminalCommand] {
    if case .field = focus, !stops(in: view).allSatisfy(\.isField) {
      focus = .list
      settle(in: view)
      return []
    }
    if opened != nil, view.content.detail == nil, detail(in: view) != nil {
      opened = nil
      settle(in: view)
      return []
    }
    if let close = view.content.close {
      focus = .list
      return [.act(close)]
    }
    guard !isOnTop, view.content.fields.count == 1, !view.content.fields[0].text.isEmpty else {
      return [.leave]
    }
    move(to: .field(0), in: view)
    caret = 0
    return [.act(view.content.fields[0].name, "")]
  }
}

extension TerminalControls.Focus {
  fileprivate var isField: Bool {
    if case .field = self { true } else { false }
  }
}
