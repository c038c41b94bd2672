import Foundation
import Synchronization

/// The full-screen mode of the terminal: keys arrive immediately, and the shell's lines are
/// preserved.
///
/// The terminal is restored when the process ends, except after a crash.
enum TerminalMode {
  private static let shells = Mutex<termios?>(nil)
  /// Registered only once, because functions registered with `atexit` can't be removed.
  private static let isRestoredAtExit: Void = { atexit { TerminalMode.leave() } }()

  /// Alternate screen, hidden caret, no line wrapping, and bracketed paste.
  private static let start = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
  private static let end = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Enters the full-screen mode; does nothing if it is active.
  static func enter() {
    _ = isRestoredAtExit
    shells.withLock { shells in
      var settings = termios()
      guard shells == nil, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      shells = settings
      cfmakeraw(&settings)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      try? StandardStream.output.write(start)
    }
  }

  /// Restores the terminal; does nothing if the mode is not active.
  static func leave() {
    shells.withLock { shells in
      guard var settings = shells else { return }
      shells = nil
      try? StandardStream.output.write(end)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
  }

  /// Restores the terminal and stops the process, as Control-Z does, until the shell resumes it.
  static func suspend() {
    leave()
    // Also stops the other processes of a pipeline.
    kill(0, SIGTSTP)
  }

  /// The size of the window.
  static var size: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
