/// The full-screen view of a page's state; ``TerminalFrame`` lays it out.
package struct TerminalView {
  /// An error with its possible actions.
  package struct Alert {
    let text: String
    /// The number for the dismiss action.
    let id: String
    let canRetry: Bool
  }

  let title: String
  let status: String
  /// Further messages, such as the age of the data.
  let remarks: [String]
  let alerts: [Alert]
  /// Whether loading has taken long enough to show an indicator.
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

/// The page-specific content in a terminal: fields, list and details.
package struct TerminalContent {
  var fields: [TerminalField] = []
  /// The action of Enter in a field.
  var submit: String?
  var choices: [ChoiceView] = []
  var list: TerminalList?
  /// The details; `nil` for none.
  var detail: TerminalDetail?
  /// The action that closes ``detail``; `nil` if the details are the whole page.
  var close: String?
  /// A sentence in place of the list or the details.
  var note: String?
  var shortcuts: [TerminalShortcut] = []

  package init() {}
}

/// A field of a page in a terminal.
package struct TerminalField {
  /// The action that receives its text.
  let name: String
  let label: String
  let text: String
  /// The text shown in the empty field.
  var placeholder = ""
  /// The problem with the text.
  var problem: String?

  package init(
    _ name: String, label: String, text: String, placeholder: String = "", problem: String? = nil
  ) {
    (self.name, self.label, self.text) = (name, label, text)
    (self.placeholder, self.problem) = (placeholder, problem)
  }
}

/// A letter that performs a command while no field has the focus.
package struct TerminalShortcut {
  let key: Character
  let title: String
  let command: TerminalCommand

  init(_ key: Character, _ title: String, _ command: TerminalCommand) {
    (self.key, self.title, self.command) = (key, title, command)
  }
}

/// A command from a key for the page or the program.
package enum TerminalCommand: Equatable, Sendable {
  /// Performs an action of the page, as defined in its markup.
  case act(String, String = "")
  /// Opens an address on this page or another page.
  case open(String)
  /// Retries the failed load, or reloads the content.
  case reload
  /// Returns to the previous screen.
  case leave
  /// Redraws the whole window.
  case redraw
  /// Suspends the process until the shell resumes it.
  case suspend
  case quit
}
