/// The user's position on a screen in a terminal: the focus, the caret, the selected row, the opened text.
///
/// Keys change it, and become commands for the screen.
struct TerminalControls {
  /// The element that receives the keys.
  enum Focus: Equatable, Sendable {
    case field(Int)
    case choice(Int)
    case list
    case text
  }

  var focus: Focus = .list
  /// The number of characters before the caret in the focused field.
  var caret = 0
  /// The index of the selected row.
  private(set) var row = 0
  private var selected: AnyHashable?
  /// The index of the first visible row, and of the first visible line of the text.
  var rowOffset = 0
  var textOffset = 0
  /// The number of visible rows, and of visible lines of the text.
  var rowCount = 1
  var textCount = 1
  /// The number of lines of the text.
  var textTotal = 0
  /// The column at which the text beside the list begins; `nil` if the text is in its place.
  var splitColumn: Int?
  /// The elements at the upper lines of the window, and the lines of the list's rows.
  var targets: [Focus?] = []
  var rowLines = 0..<0
  /// Whether the user has submitted fields, so that the first one with a problem gets the focus.
  var hasSubmitted = false
  /// A text that the user has opened.
  var shown: Text? {
    didSet { textOffset = 0 }
  }
  private var hadText = false
  let isOnTop: Bool
  /// The page of the last requested rows.
  private var requested: UInt64?

  /// Creates controls with the focus on the first empty field, or on the list.
  ///
  /// - Parameter isOnTop: Whether Escape returns to a previous screen instead of clearing the field.
  init(in view: ViewContent, isOnTop: Bool = false) {
    self.isOnTop = isOnTop
    if let field = view.fields.firstIndex(where: \.text.isEmpty) { focus = .field(field) }
    settle(in: view)
  }

  /// Whether the text is beside the list.
  var isWide: Bool { splitColumn != nil }

  /// Returns the index of the selected row; `nil` if there are no rows.
  func selection(in view: ViewContent) -> Int? {
    guard let count = view.list?.count, count > 0 else { return nil }
    return min(row, count - 1)
  }

  /// Returns whether the text replaces the list.
  func isCovered(in view: ViewContent) -> Bool {
    !isWide && (view.list != nil || shown != nil) && text(in: view) != nil
  }

  /// Returns the shown text.
  func text(in view: ViewContent) -> Text? { shown ?? view.text }

  /// Adapts to changes of the screen; keeps the selected row.
  mutating func settle(in view: ViewContent) {
    let (list, count) = (view.list, view.list?.count ?? 0)
    row = selected == nil ? 0 : max(0, min(row, count - 1))
    if count > 0, let selected, list?.id(row) != selected {
      row = (0..<count).first { list?.id($0) == selected } ?? row
    }
    selected = count > 0 ? list?.id(row) : nil
    let hasText = text(in: view) != nil
    if hasText != hadText {
      (hadText, textOffset) = (hasText, 0)
      if hasText { focus = .text }
    }
    if hasSubmitted, let field = view.fields.firstIndex(where: { $0.problem != nil }) {
      hasSubmitted = false
      move(to: .field(field), in: view)
    }
    if !stops(in: view).contains(focus) { focus = hasText && !isWide ? .text : .list }
    if case .field(let index) = focus { caret = min(caret, view.fields[index].text.count) }
  }

  /// Returns the focusable elements in the order of the Tab key.
  private func stops(in view: ViewContent) -> [Focus] {
    let hasText = text(in: view) != nil
    let hasList = (view.list?.count ?? 0) > 0 && (isWide || !hasText)
    return view.fields.indices.map { .field($0) } + view.choices.indices.map { .choice($0) }
      + (hasList ? [.list] : []) + (hasText ? [.text] : [])
  }

  mutating func move(to focus: Focus, in view: ViewContent) {
    self.focus = focus
    if case .field(let index) = focus { caret = view.fields[index].text.count }
  }

  mutating func moveFocus(by step: Int, in view: ViewContent) {
    let stops = stops(in: view)
    guard !stops.isEmpty else { return }
    let index = stops.firstIndex(of: focus) ?? (step > 0 ? -1 : 0)
    move(to: stops[(index + step + stops.count) % stops.count], in: view)
  }

  /// Selects a row; an opened text belonged to another one.
  mutating func select(_ index: Int, in view: ViewContent) {
    guard let list = view.list, list.count > 0 else { return }
    row = max(0, min(index, list.count - 1))
    selected = list.id(row)
    if shown != nil { shown = nil }
  }

  /// Returns the command that loads more rows if the last row is visible or near; once for each page.
  mutating func wanted(in view: ViewContent) -> TerminalCommand? {
    guard let list = view.list, let more = list.more else {
      requested = nil
      return nil
    }
    guard rowOffset + 2 * rowCount >= list.count, requested != more.page else { return nil }
    requested = more.page
    return more.command
  }

  /// Performs the first possible action of Escape: leaves the field, closes the text, clears the
  /// field, or leaves the screen.
  mutating func escape(in view: ViewContent) -> [TerminalCommand] {
    if case .field = focus, stops(in: view).count > view.fields.count {
      focus = .list
      settle(in: view)
      return []
    }
    if shown != nil {
      shown = nil
      settle(in: view)
      return []
    }
    if let close = view.close {
      focus = .list
      return [close]
    }
    guard !isOnTop, view.fields.count == 1, !view.fields[0].text.isEmpty else { return [.leave] }
    (focus, caret) = (.field(0), 0)
    return [view.fields[0].change("")]
  }
}
