/// A line at the bottom of a terminal that says how far a list has come, and goes away in the end.
///
/// The cursor stays at its beginning: whatever is written after an interruption is written over it.
struct Progress {
  /// What is loaded: `open issues`.
  let noun: String
  /// The columns of the terminal at that moment: its window may change.
  let width: () -> Int?
  /// Writes to the terminal.
  let write: (String) -> Void

  /// Shows the line.
  func show(pages: Int, of expected: Int?, items: Int) {
    guard let width = width() else { return }
    let most = expected.map { max($0, pages) }
    let count = "page \(pages)" + (most.map { " of \($0)" } ?? "") + ", \(items) \(noun)"
    var line = pages == 0 ? "waiting for \(noun)" : count
    let space = min(30, width - line.terminalWidth - 4)
    if let most, pages > 0, space >= 5 {
      line = "[\(String(repeating: "=", count: space * pages / most).padded(to: space))] \(line)"
    }
    // A line that fills the last column would break on some terminals.
    write("\r\u{1B}[K\(line.fitted(to: max(0, width - 1)))\r")
  }

  /// Clears the line.
  func end() { write("\r\u{1B}[K") }
}

extension Progress {
  /// Creates a line on a standard stream; `nil` when that is no terminal whose cursor can be moved.
  init?(_ noun: String, on stream: StandardStream) {
    guard Terminal(of: stream).hasCursor else { return nil }
    // A line that can't be drawn is no reason to stop.
    self.init(noun: noun, width: { Terminal(of: stream).width }) { try? stream.write($0) }
  }
}
