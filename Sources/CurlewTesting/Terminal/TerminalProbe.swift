import CurlewScreens
public import CurlewTerminal
import Synchronization
import Testing

/// Runs a `TerminalApp` on a virtual terminal and a virtual clock: a test types, and reads the rows of the window.
///
/// ```swift
/// let probe = TerminalProbe(app)
/// probe.type("akita")
/// probe.advance(by: .milliseconds(500))
/// #expect(probe.rows.contains("› Akita"))
/// probe.press(.down, .enter)
/// ```
///
/// The rows are what a terminal shows after it has received the control sequences of all frames; a sequence that the
/// virtual terminal doesn't know fails the test.
public final class TerminalProbe {
  /// The clock of the screens' delays.
  public let clock: TestClock
  /// Whether the user has quit.
  public private(set) var hasQuit = false
  /// The number of times that the process was suspended by Control-Z.
  public private(set) var suspensions = 0
  private let executor: TestExecutor
  private let environment: [String: String]
  private let posted = Posted()
  private var session: TerminalSession?
  private var screen: VirtualScreen

  private final class Posted: Sendable {
    let events = Mutex<[TerminalEvent]>([])
  }

  /// Opens an app.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - columns: The number of columns of the window.
  ///   - rows: The number of rows of the window.
  ///   - environment: The environment of the process, such as `NO_COLOR` and `LANG`.
  ///   - clock: The clock, such as that of a store; it needs an executor.
  public init(
    _ app: TerminalApp, columns: Int = 80, rows: Int = 24,
    environment: [String: String] = ["TERM": "xterm-256color"],
    clock: TestClock = TestClock(executor: TestExecutor())
  ) {
    guard let executor = clock.executor else { preconditionFailure("The clock has no executor.") }
    (self.clock, self.executor, self.environment) = (clock, executor, environment)
    screen = VirtualScreen(columns: columns, rows: rows)
    session = TerminalSession(
      app, clock: clock, executor: executor, suspend: { [unowned self] in suspensions += 1 }
    ) { [posted] event in
      posted.events.withLock { $0.append(event) }
    }
    settle()
  }

  /// The rows of the window, from the top, without spaces at their ends.
  public var rows: [String] { screen.rows }

  /// The position of the visible caret, which begins with 0; `nil` while it is hidden.
  public var caret: (row: Int, column: Int)? { screen.isCaretVisible ? screen.position : nil }

  /// Returns the runs of a row with the same style.
  ///
  /// A style is the parameters of SGR (ECMA-48), empty for none: `1` is bold, `2` faint, `7` inverse, `31` red. A link's style
  /// ends with its address.
  public func styles(in row: Int) -> [(text: String, style: String)] { screen.runs(in: row) }

  /// Presses keys, or clicks.
  public func press(_ keys: TerminalKey...) {
    for key in keys { handle(.pressed([key])) }
  }

  /// Types a text.
  public func type(_ text: String) { press(.text(text)) }

  /// Resizes the window.
  public func resize(columns: Int, rows: Int) {
    screen = VirtualScreen(columns: columns, rows: rows)
    handle(.resized)
  }

  /// Advances the clock.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
    settle()
  }

  /// Runs all jobs that can run without advancing time, and draws their changes.
  public func settle() {
    repeat {
      executor.drain()
      for event in takePosted() where !hasQuit { hasQuit = session?.handle(event) ?? true }
      executor.drain()
      draw()
    } while posted.events.withLock({ !$0.isEmpty })
  }

  private func handle(_ event: TerminalEvent) {
    guard !hasQuit, let session else { return }
    hasQuit = session.handle(event)
    settle()
  }

  private func draw() {
    let terminal = Terminal(windowWidth: screen.columns, environment: environment)
    guard !hasQuit, let text = session?.draw(on: terminal, rows: screen.height) else { return }
    if let unknown = screen.write(text) {
      failTest(
        "The virtual terminal doesn't know the control sequence \(unknown.debugDescription).")
    }
  }

  private func takePosted() -> [TerminalEvent] {
    posted.events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
