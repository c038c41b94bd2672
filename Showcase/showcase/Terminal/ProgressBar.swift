import Foundation
import Synchronization

/// A line at the bottom of a terminal that says how far a list has come, and goes away in the end.
final class ProgressBar: Sendable {
  private struct State {
    var pages = 0
    var expected: Int?
    var items = 0
    /// What stands on the terminal.
    var drawn = ""
    var isOver = false
  }

  private static let maximum = 30

  private let name: String
  private let width: @Sendable () -> Int?
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Creates a bar.
  ///
  /// - Parameters:
  ///   - name: What is loaded: `open issues`.
  ///   - width: The columns of the terminal at that moment; its window may change.
  ///   - write: Writes to the terminal.
  init(
    _ name: String, width: @escaping @Sendable () -> Int?,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.name = name
    self.width = width
    self.write = write
  }

  /// Creates a bar on a standard stream; `nil` when that is no terminal whose cursor can be moved.
  convenience init?(_ name: String, on stream: StandardStream) {
    guard Terminal(of: stream).hasCursor else { return nil }
    self.init(
      name, width: { Terminal(of: stream).width },
      // A bar that can't be drawn is no reason to stop.
      write: { try? stream.write($0) })
  }

  /// Notes how many pages and items have come; the bar shows it when it is drawn next.
  func show(pages: Int, of expected: Int?, items: Int) {
    state.withLock { state in
      state.pages = pages
      state.expected = expected
      state.items = items
    }
  }

  /// Draws the bar ten times a second, where it has changed, until the task is cancelled.
  func run(_ clock: any Clock<Duration>) async {
    // What is over at once shows no bar.
    while (try? await clock.sleep(for: .milliseconds(100))) != nil { draw() }
  }

  /// Draws the bar if it has changed.
  func draw() {
    state.withLock { state in
      guard !state.isOver, let width = width() else { return }
      // A line that fills the last column would break on some terminals.
      let line = Self.line(state, name, within: width - 1)
      guard line != state.drawn else { return }
      state.drawn = line
      write("\r\(line)\u{1B}[K")
    }
  }

  /// Clears the line; nothing is drawn after that.
  func end() {
    state.withLock { end(&$0) }
  }

  /// Clears the line unless the terminal takes nothing, as one does that was stopped: waits for half
  /// a second at most while something else is drawn.
  func endIfPossible() {
    for _ in 0..<50 {
      if state.withLockIfAvailable({ end(&$0) }) != nil { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private func end(_ state: inout State) {
    state.isOver = true
    guard !state.drawn.isEmpty else { return }
    state.drawn = ""
    write("\r\u{1B}[K")
  }

  /// `[======>       ] page 3 of 12, 284 open issues`.
  private static func line(_ state: State, _ name: String, within width: Int) -> String {
    let expected = state.expected.map { max($0, state.pages) }
    let pages = "page \(state.pages)" + (expected.map { " of \($0)" } ?? "")
    let label = state.pages == 0 ? "waiting for \(name)" : "\(pages), \(state.items) \(name)"
    let space = min(maximum, width - label.terminalWidth - 3)
    guard space >= 5, let expected, expected > 0 else {
      return Cell(label).fitted(to: max(0, width)).rendered(in: .none)
    }
    let done = space * state.pages / expected
    let bar = String(repeating: "=", count: done) + (done < space ? ">" : "")
    return "[\(bar.padding(toLength: space, withPad: " ", startingAt: 0))] \(label)"
  }
}

/// Runs something with a bar that shows how far it is, and clears the bar, whatever happens.
func withProgress<Value>(
  _ bar: ProgressBar?, clock: any Clock<Duration> = ContinuousClock(),
  _ body: () async throws -> Value
) async rethrows -> Value {
  guard let bar else { return try await body() }
  let interruptions = Interruptions { bar.endIfPossible() }
  // Redraws the bar until it is cancelled.
  let drawing = Task { await bar.run(clock) }
  defer {
    drawing.cancel()
    bar.end()
    interruptions.stop()
  }
  return try await body()
}
