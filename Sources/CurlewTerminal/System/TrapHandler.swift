#if os(macOS) || os(Linux)
  import Foundation

  /// Restores the terminal when the process ends by a trap, such as a failed precondition.
  ///
  /// Then the signal is left to the handler before it, such as the one that prints Swift's backtraces.
  enum TrapHandler {
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// Installed only once, so that a handler that is installed later stays.
    private static let install: Void = {
      for number in signals {
        var action = sigaction()
        let handler:
          @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void =
            { number, info, _ in
              // A handler may use little more than `write` and `tcsetattr` (POSIX, Signal Concepts).
              if trapState.pointee.isArmed {
                trapState.pointee.isArmed = false
                _ = Foundation.write(STDOUT_FILENO, trapState.pointee.end, trapState.pointee.count)
                tcsetattr(STDIN_FILENO, TCSANOW, &trapState.pointee.settings)
              }
              sigaction(number, trapState.pointee.former + Int(number), nil)
              // A faulty instruction is repeated; a signal of a process is not.
              let code = info?.pointee.si_code ?? 0
              if code <= 0 || code == SI_USER { raise(number) }
            }
        #if canImport(Darwin)
          action.__sigaction_u.__sa_sigaction = handler
        #else
          action.__sigaction_handler.sa_sigaction = handler
        #endif
        action.sa_flags = Int32(SA_ONSTACK | SA_SIGINFO)
        sigaction(number, &action, trapState.pointee.former + Int(number))
      }
    }()

    /// Prepares the settings and the control sequences that restore the terminal.
    static func arm(_ settings: termios, _ end: StaticString) {
      trapState.pointee.settings = settings
      trapState.pointee.end = end.utf8Start
      trapState.pointee.count = end.utf8CodeUnitCount
      _ = install
      trapState.pointee.isArmed = true
    }

    static func disarm() { trapState.pointee.isArmed = false }
  }

  /// What the handler needs; allocated before it is installed, and never freed.
  private struct TrapState {
    var settings = termios()
    var end: UnsafePointer<UInt8>?
    var count = 0
    var isArmed = false
    let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  }

  /// Used by the handler on any thread; changed under the lock of `TerminalMode`.
  nonisolated(unsafe) private let trapState: UnsafeMutablePointer<TrapState> = {
    let state = UnsafeMutablePointer<TrapState>.allocate(capacity: 1)
    state.initialize(to: TrapState())
    return state
  }()
#endif
