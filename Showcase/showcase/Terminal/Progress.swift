package import Curlew
import Foundation

/// A line at the bottom of a terminal that says how far something has come, and goes away in the end.
///
/// The cursor stays at its beginning: whatever is written after an interruption is written over it.
package struct Progress: Sendable {
  /// What is loaded: `open issues`, or a file's name.
  let noun: String
  /// The columns of the terminal at that moment: its window may change.
  let width: @Sendable () -> Int?
  /// Writes to the terminal.
  let write: @Sendable (String) -> Void

  package init(
    noun: String, width: @escaping @Sendable () -> Int?, write: @escaping @Sendable (String) -> Void
  ) {
    (self.noun, self.width, self.write) = (noun, width, write)
  }

  /// Shows the pages of a list.
  package func show(pages: Int, of expected: Int?, items: Int) {
    let most = expected.map { max($0, pages) }
    let count = "page \(pages)" + (most.map { " of \($0)" } ?? "") + ", \(items) \(noun)"
    show(
      pages == 0 ? "waiting for \(noun)" : count,
      part: pages == 0 ? nil : most.map { (pages, $0) })
  }

  /// Shows how much of a file there is, how fast it comes, and when it will be there.
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

  /// Shows a text, and before it a bar where a part of a whole is known and there is space.
  func show(_ text: String, part: (done: Int, of: Int)?) {
    guard let width = width() else { return }
    var line = text
    let space = min(30, width - line.terminalWidth - 4)
    if let part, space >= 5 {
      let filled = part.of > 0 ? Int(Double(space) * Double(part.done) / Double(part.of)) : space
      line = "[\(String(repeating: "=", count: min(space, filled)).padded(to: space))] \(line)"
    }
    // A line that fills the last column would break on some terminals.
    write("\r\u{1B}[K\(line.fitted(to: max(0, width - 1)))\r")
  }

  /// Clears the line.
  package func end() { write("\r\u{1B}[K") }
}

extension SourceOptions {
  /// Says on a terminal what a command waits for; `nil` where nobody would see it.
  func progress(of noun: String) -> Progress? {
    // Notes and details come on the same stream, and would break the line.
    let progress = verbosity.verbose || isReplay ? nil : Progress(noun, on: .error)
    progress?.show(pages: 0, of: nil, items: 0)
    return progress
  }
}

extension Progress {
  /// Creates a line on a standard stream; `nil` when that is no terminal whose cursor can be moved.
  init?(_ noun: String, on stream: StandardStream) {
    guard Terminal(of: stream).hasCursor else { return nil }
    // A line that can't be drawn is no reason to stop.
    self.init(noun: noun.printable, width: { Terminal(of: stream).width }) { try? stream.write($0) }
  }
}
