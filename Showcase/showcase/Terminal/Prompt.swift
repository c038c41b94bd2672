/// What a user of a terminal is asked with: a line at the bottom, before which other lines are written.
@MainActor
package final class Prompt {
  /// Whether a user is asked at all; otherwise there are only the lines.
  let isAsked: Bool
  private let text: String
  private let output: (String) -> Void
  private var isShown = false

  /// Creates a prompt with a name, such as that of a screen; `nil` asks nobody.
  ///
  /// - Parameter output: Writes to the terminal.
  package init(_ name: String?, output: @escaping (String) -> Void) {
    isAsked = name != nil
    text = name.map { "\($0)> " } ?? ""
    self.output = output
  }

  /// Asks for the next line.
  package func show() {
    isShown = isAsked
    output(text)
  }

  /// The user has entered a line, or none is wanted.
  package func hide() { isShown = false }

  /// Writes a line; what comes while the user is asked stands before the prompt.
  package func write(_ line: String) {
    let line = line.printable
    output(isShown ? "\r\u{1B}[K\(line)\n\(text)" : line + "\n")
  }
}
