import Foundation
import Synchronization

/// The terminal while a screen has it to itself: each key comes at once, and the shell's lines are kept.
///
/// It is given back at the process's end, however that comes about, but for a crash.
enum TerminalMode {
  private static let shells = Mutex<termios?>(nil)
  /// Registered once: the functions of `exit` can't be taken back.
  private static let isRestoredAtExit: Void = { atexit { TerminalMode.leave() } }()

  /// Alternate window, no caret, no wrapping, and pasted texts marked as such.
  private static let start = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
  private static let end = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Takes the terminal; does nothing if it is taken.
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

  /// Gives the terminal back; does nothing if it is not taken.
  static func leave() {
    shells.withLock { shells in
      guard var settings = shells else { return }
      shells = nil
      try? StandardStream.output.write(end)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
  }

  /// Gives the terminal back and stops the process, as Control-Z does, until the shell continues it.
  static func suspend() {
    leave()
    // The others of a pipeline stop, too.
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
