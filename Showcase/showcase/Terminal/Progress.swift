package import Curlew
import CurlewTerminal
import Foundation

/// A progress line at the bottom of a terminal, which disappears at the end.
///
/// The cursor stays at its beginning, so that output after an interruption overwrites it.
package struct Progress: Sendable {
  /// The name of the loaded content: `open issues`, or a file's name.
  let noun: String
  /// Returns the current width of the terminal, whose window may be resized.
  let width: @Sendable () -> Int?
  /// Writes to the terminal.
  let write: @Sendable (String) -> Void

  package init(
    noun: String, width: @escaping @Sendable () -> Int?, write: @escaping @Sendable (String) -> Void
  ) {
    (self.noun, self.width, self.write) = (noun, width, write)
  }

  /// Shows the number of loaded pages of a list.
  package func show(pages: Int, of expected: Int?, items: Int) {
    let most = expected.map { max($0, pages) }
    let count = "page \(pages)" + (most.map { " of \($0)" } ?? "") + ", \(items) \(noun)"
    show(
      pages == 0 ? "waiting for \(noun)" : count,
      part: pages == 0 ? nil : most.map { (pages, $0) })
  }

  /// Shows the size, the rate and the remaining time of a transfer.
  package func show(_ transfer: TransferProgress) {
    show(transfer.completed, of: transfer.total, rate: transfer.bytesPerSecond, transfer.timeLeft)
  }

  package func show(_ completed: Int64, of total: Int64?, rate: Double?, _ timeLeft: Duration?) {
    let size = completed.bytes
    var texts = [total.map { "\(size) of \($0.bytes)" } ?? size]
    if let rate, rate.isFinite, rate >= 0 { texts.append("\(Int64(min(rate, 1e15)).bytes)/s") }
    if let timeLeft, timeLeft < .seconds(86_400) {
      texts.append("\(Int(timeLeft.components.seconds).timeLeft) left")
    }
    let part = total.map { (Int(completed), Int($0)) }
    show(texts.joined(separator: ", ") + " – \(noun)", part: part)
  }

  /// Shows a text, with a progress bar if the fraction is known and there is space.
  func show(_ text: String, part: (done: Int, of: Int)?) {
    guard let width = width() else { return }
    var line = text
    let space = min(30, width - line.terminalWidth - 4)
    if let part, space >= 5 {
      let filled = part.of > 0 ? Int(Double(space) * Double(part.done) / Double(part.of)) : space
      line = "[\(String(repeating: "=", count: min(space, filled)).padded(to: space))] \(line)"
    }
    // A line that fills the last column would wrap on some terminals.
    write("\r\u{1B}[K\(line.fitted(to: max(0, width - 1)))\r")
  }

  /// Clears the line.
  package func end() { write("\r\u{1B}[K") }
}

extension SourceOptions {
  /// Returns a progress line for a command on a terminal; `nil` if it would not be visible.
  func progress(of noun: String) -> Progress? {
    // Messages and details are written to the same stream, and would break the line.
    let progress = verbosity.verbose || isReplay ? nil : Progress(noun)
    progress?.show(pages: 0, of: nil, items: 0)
    return progress
  }
}

extension Progress {
  /// Creates a progress line on standard error; returns `nil` unless it is a terminal with cursor control.
  init?(_ noun: String) {
    guard Terminal.error.hasCursor else { return nil }
    // A failure to draw the line must not stop the command.
    self.init(noun: noun.printable, width: { Terminal.error.width }) {
      try? StandardStream.error.write($0)
    }
  }
}
