import CurlewTesting

@testable import CurlewTerminal

/// A session without a terminal, whose control sequences can be read.
final class Session {
  var columns = 80
  private let executor = TestExecutor()
  private let session: TerminalSession

  init(_ app: TerminalApp) {
    session = TerminalSession(app, clock: TestClock(executor: executor), executor: executor) { _ in
    }
    executor.drain()
  }

  func press(_ key: TerminalKey) -> Bool {
    defer { executor.drain() }
    return session.handle(.pressed([key]))
  }

  func draw() -> String {
    session.draw(
      on: Terminal(windowWidth: columns, environment: ["TERM": "xterm-256color"]), rows: 24)
  }
}
