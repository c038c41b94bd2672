#if os(macOS) || os(Linux)
  import Foundation
  import Synchronization

  /// The full-screen mode of the terminal: keys arrive immediately, and the shell's lines are preserved.
  ///
  /// The terminal is restored when the process ends, also by a trap; not by SIGKILL.
  enum TerminalMode {
    private static let shells = Mutex<termios?>(nil)
    /// Registered only once, because functions registered with `atexit` can't be removed.
    private static let isRestoredAtExit: Void = { atexit { TerminalMode.leave() } }()

    /// Alternate screen, hidden caret, no line wrapping, and bracketed paste; xterm's reports of the mouse's buttons.
    private static let start = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
    private static let mouse = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let end: StaticString =
      "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// Enters the full-screen mode; sets the terminal again if the mode is active, as after another program's use.
    static func enter(mouse usesMouse: Bool) {
      _ = isRestoredAtExit
      shells.withLock { shells in
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        if let shells { settings = shells } else { shells = settings }
        TrapHandler.arm(settings, end)
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        try? write(start + (usesMouse ? mouse : ""))
      }
    }

    /// Restores the terminal; does nothing if the mode is not active.
    static func leave() {
      shells.withLock { shells in
        guard var settings = shells else { return }
        shells = nil
        TrapHandler.disarm()
        try? write("\(end)")
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      }
    }

    /// Restores the terminal and stops the process, as Control-Z does, until the shell resumes it.
    static func suspend() {
      leave()
      signal(SIGTSTP, SIG_DFL)
      // Also stops the other processes of a pipeline.
      kill(0, SIGTSTP)
      TerminalInput.catch(SIGTSTP)
    }

    /// The number of the window's rows.
    static var rows: Int {
      var size = winsize()
      guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
      return Int(size.ws_row)
    }

    /// Writes to standard output; throws if the terminal is closed.
    static func write(_ text: String) throws {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
        }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Another process may have set the terminal to non-blocking mode.
          var writable = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
          poll(&writable, 1, -1)
        } else if errno != EINTR {
          throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
      }
    }
  }

  extension Terminal {
    /// Returns the capabilities of standard output; `isColored` overrides whether colours are used.
    public static func output(isColored: Bool? = nil) -> Terminal {
      Terminal(of: STDOUT_FILENO, isColored)
    }

    /// The capabilities of standard error.
    public static var error: Terminal { Terminal(of: STDERR_FILENO, nil) }

    private init(of stream: Int32, _ isColored: Bool?) {
      var size = winsize()
      let isTerminal = isatty(stream) == 1
      let isKnown = isTerminal && ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      self.init(
        windowWidth: isTerminal ? isKnown ? Int(size.ws_col) : 80 : nil,
        environment: ProcessInfo.processInfo.environment, isColored: isColored)
    }
  }
#endif
