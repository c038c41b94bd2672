/// A prompt at the bottom of a terminal; other lines are written above it.
@MainActor
package final class Prompt {
  /// Whether the user is prompted; otherwise, only lines are written.
  let isAsked: Bool
  private let text: String
  private let output: (String) -> Void
  private var isShown = false

  /// Creates a prompt with a name, such as a screen's name; `nil` disables the prompt.
  ///
  /// - Parameter output: Writes to the terminal.
  package init(_ name: String?, output: @escaping (String) -> Void) {
    isAsked = name != nil
    text = name.map { "\($0)> " } ?? ""
    self.output = output
  }

  /// Prompts for the next line.
  package func show() {
    isShown = isAsked
    output(text)
  }

  /// Marks the prompt as hidden, because the user has entered a line or no input is expected.
  package func hide() { isShown = false }

  /// Writes a line; above the prompt if it is shown.
  package func write(_ line: String) {
    let line = line.printable
    output(isShown ? "\r\u{1B}[K\(line)\n\(text)" : line + "\n")
  }
}
