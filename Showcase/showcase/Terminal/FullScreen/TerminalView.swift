/// What a terminal's whole window shows of a page's state; ``TerminalFrame`` lays it out.
package struct TerminalView {
  /// An error, and what one can do about it.
  package struct Alert {
    let text: String
    /// The name by which it is dismissed.
    let name: String
    let canRetry: Bool
  }

  let title: String
  let status: String
  /// What else there is to say, such as how old the data is.
  let remarks: [String]
  let alerts: [Alert]
  /// Whether something has loaded for long enough to be worth a word.
  let isBusy: Bool
  let content: TerminalContent

  package init(
    title: String, status: String, remarks: [String] = [], alerts: [Alert] = [],
    isBusy: Bool = false, content: TerminalContent
  ) {
    (self.title, self.status, self.remarks) = (title, status, remarks)
    (self.alerts, self.isBusy, self.content) = (alerts, isBusy, content)
  }
}

/// What only one page shows in a terminal: its fields, its list and what is opened of it.
package struct TerminalContent {
  var fields: [TerminalField] = []
  /// The action of Enter in a field.
  var submit: String?
  var choices: [ChoiceView] = []
  var list: TerminalList?
  /// What is read at length; `nil` for nothing.
  var detail: TerminalDetail?
  /// The action that closes ``detail``; `nil` where it is the page itself.
  var close: String?
  /// A sentence where the list or the detail would be.
  var note: String?
  var shortcuts: [TerminalShortcut] = []

  package init() {}
}

/// A field of a page in a terminal.
package struct TerminalField {
  /// The action that takes its text.
  let name: String
  let label: String
  let text: String
  /// What stands in it as long as it is empty.
  var placeholder = ""
  /// What is wrong with the text.
  var problem: String?

  package init(
    _ name: String, label: String, text: String, placeholder: String = "", problem: String? = nil
  ) {
    (self.name, self.label, self.text) = (name, label, text)
    (self.placeholder, self.problem) = (placeholder, problem)
  }
}

/// A letter that does something, while no field has the focus.
package struct TerminalShortcut {
  let key: Character
  let title: String
  let command: TerminalCommand

  init(_ key: Character, _ title: String, _ command: TerminalCommand) {
    (self.key, self.title, self.command) = (key, title, command)
  }
}

/// What a key asks of the page, or of the program.
package enum TerminalCommand: Equatable, Sendable {
  /// An action of the page, as its markup has it.
  case act(String, String = "")
  /// Opens an address, of this page or of another one.
  case open(String)
  /// Tries again what failed, or else loads again what is shown.
  case reload
  /// Goes back to the screen that led to this one.
  case leave
  /// Draws everything again.
  case redraw
  /// Hands the terminal back to the shell until it continues the program.
  case suspend
  case quit
}
