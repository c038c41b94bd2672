public import CurlewScreens

/// What a terminal shows of a screen's state: a title, fields, a status line, and a list or a text with the rest of the
/// window.
///
/// Texts may come from anywhere: characters that control a terminal never reach it. A failure needs no text, because
/// each alert of the screen's activity is shown with its keys.
public struct TerminalView<Event: Sendable>: Sendable {
  let content: ViewContent

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - title: The title, such as the screen's name.
  ///   - status: A sentence about the state, which a screen reader reads out, such as the number of results.
  ///   - remarks: Further sentences, such as the age of the data.
  ///   - fields: The fields and choices above the status.
  ///   - submit: The event of Enter in a field.
  ///   - note: A sentence above the list, or in its place.
  ///   - list: The rows.
  ///   - text: A text in place of the list; beside the list in a wide window.
  ///   - close: The event of Escape that closes the text; `nil` if Escape leaves the screen.
  ///   - shortcuts: The screen's own keys.
  ///   - reload: The event of the key `r`; by default the list's own.
  public init(
    _ title: String, status: String = "", remarks: [String] = [], fields: [Field<Event>] = [],
    submit: Event? = nil, note: String? = nil, list: List<Event>? = nil, text: Text? = nil,
    close: Event? = nil, shortcuts: [Shortcut<Event>] = [], reload: Event? = nil
  ) {
    var content = ViewContent(title: title, status: status, remarks: remarks)
    for field in fields { field.add(&content) }
    content.submit = submit.map { .send([$0]) }
    content.list = list?.content
    content.note = note ?? (list?.content.count == 0 ? list?.content.placeholder : nil)
    (content.text, content.close) = (text, close.map { .send([$0]) })
    content.shortcuts = shortcuts.map(\.content)
    content.reload = (reload.map { .send([$0]) }) ?? list?.content.reload
    self.content = content
  }
}

/// The effect of a key or a click.
public struct TerminalAction<Event: Sendable>: Sendable {
  let command: TerminalCommand

  /// Sends events to the screen, in order.
  public static func send(_ events: Event...) -> Self { send(events) }

  /// Sends events to the screen, in order.
  public static func send(_ events: [Event]) -> Self { Self(command: .send(events)) }

  /// Opens the screen of a route (``TerminalApp/destination(for:_:)``), as `work.go(to:)` does.
  public static func go(to route: any Route) -> Self { Self(command: .go(route)) }

  /// Shows a text until the user presses Escape.
  public static func show(_ text: Text) -> Self { Self(command: .show(text)) }
}

/// A letter that performs an action while no field has the focus.
public struct Shortcut<Event: Sendable>: Sendable {
  let content: ShortcutContent

  /// Creates a shortcut with a title for the line of keys.
  ///
  /// The terminal's own keys `?`, `q`, `r` and `x` can be replaced, too.
  public init(_ key: Character, _ title: String, _ action: TerminalAction<Event>) {
    content = ShortcutContent(key: key, title: title, command: action.command)
  }
}

struct ShortcutContent: Sendable {
  let key: Character
  let title: String
  let command: TerminalCommand
}

/// A view without the type of its events, which only its screen's ``TerminalVisit`` knows.
struct ViewContent: Sendable {
  let title: String
  let status: String
  let remarks: [String]
  /// The screen's alerts with their texts.
  var alerts: [(text: String, alert: ScreenActivity.Alert)] = []
  /// Whether loading has taken long enough to show an indicator.
  var isBusy = false
  var fields: [FieldContent] = []
  var choices: [ChoiceContent] = []
  var submit: TerminalCommand?
  var list: ListContent?
  var text: Text?
  var close: TerminalCommand?
  var note: String?
  var shortcuts: [ShortcutContent] = []
  var reload: TerminalCommand?

  /// Returns the command of a letter in the view and at a row.
  func command(for letter: Character, at row: Int?) -> TerminalCommand? {
    let shortcut = shortcuts(at: row).first { $0.key == letter }
    return shortcut?.command ?? (letter == "r" ? .reload : letter == "x" ? .dismiss : nil)
  }

  /// Returns the shortcuts of the view and of a row.
  func shortcuts(at row: Int?) -> [ShortcutContent] {
    shortcuts + (row.flatMap { list?.shortcuts($0) } ?? [])
  }
}

/// A command from a key for the screen or the program.
enum TerminalCommand: Sendable {
  /// Sends events of the screen's type.
  case send([any Sendable])
  case go(any Route)
  case show(Text)
  /// Retries the failed load, or reloads the content.
  case reload
  /// Dismisses the first alert.
  case dismiss
  /// Returns to the previous screen.
  case leave
  /// Redraws the whole window.
  case redraw
  /// Suspends the process until the shell resumes it.
  case suspend
  case quit
}
