/// The last drawn frame, so that only changed lines are redrawn.
struct TerminalCanvas {
  private var drawn: TerminalFrame?

  /// Discards the frame, for example after another program has written to the window.
  mutating func clear() { drawn = nil }

  /// Returns the control sequences that draw a frame (ECMA-48); empty if nothing has changed.
  mutating func draw(_ frame: TerminalFrame, on terminal: Terminal) -> String {
    defer { drawn = frame }
    guard frame != drawn else { return "" }
    let old = drawn.flatMap { $0.size == frame.size ? $0.lines : nil }
    // Hides the caret, so that it doesn't visibly jump.
    var text = "\u{1B}[?25l" + (old == nil ? "\u{1B}[2J" : "")
    for (index, line) in frame.lines.enumerated() where old == nil || old?[index] != line {
      // After the last column, the cursor may stay on the last character, which would be erased.
      let isFull = line.withoutStyles.terminalWidth >= frame.size.columns
      text += "\u{1B}[\(index + 1);1H\(terminal.encoded(line))" + (isFull ? "" : "\u{1B}[K")
    }
    if let caret = frame.caret {
      text += "\u{1B}[\(caret.row + 1);\(caret.column + 1)H\u{1B}[?25h"
    }
    return text
  }
}
