/// The window as it was drawn last, so that only lines that changed are drawn again.
package struct TerminalCanvas {
  private var drawn: TerminalFrame?

  package init() {}

  /// Forgets what is in the window, as after another program has written into it.
  package mutating func clear() { drawn = nil }

  /// Returns what draws a frame (ECMA-48); it is empty when nothing has changed.
  package mutating func draw(_ frame: TerminalFrame) -> String {
    defer { drawn = frame }
    guard frame != drawn else { return "" }
    let old = drawn.flatMap { $0.size == frame.size ? $0.lines : nil }
    // The caret would be seen jumping.
    var text = "\u{1B}[?25l" + (old == nil ? "\u{1B}[2J" : "")
    for (index, line) in frame.lines.enumerated() where old == nil || old?[index] != line {
      // In the last column, a terminal may still be within the last character.
      let isFull = line.withoutStyles.terminalWidth >= frame.size.columns
      text += "\u{1B}[\(index + 1);1H\(line)" + (isFull ? "" : "\u{1B}[K")
    }
    if let caret = frame.caret {
      text += "\u{1B}[\(caret.row + 1);\(caret.column + 1)H\u{1B}[?25h"
    }
    return text
  }
}
