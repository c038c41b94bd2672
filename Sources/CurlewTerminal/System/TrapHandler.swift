#if os(macOS) || os(Linux)
  import Foundation

  /// Restores the terminal when the process ends by a trap, such as a failed precondition.
  ///
  /// Then the signal is left to the handler before it, such as the one that prints Swift's backtraces.
  enum TrapHandler {
    /// What the handler needs.
    private struct State {
      var settings = termios()
      var end: StaticString = ""
      var isArmed = false
      let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    }

    /// Used by the handler on any thread, so it is never freed; changed under the lock of `TerminalMode`.
    nonisolated(unsafe) private static let state: UnsafeMutablePointer<State> = {
      let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
      state.initialize(to: State())
      return state
    }()

    /// Installed only once, so that a handler that is installed later stays.
    private static let install: Void = {
      for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
        var action = sigaction()
        #if canImport(Darwin)
          action.__sigaction_u.__sa_sigaction = { number, info, _ in handle(number, info) }
        #else
          action.__sigaction_handler.sa_sigaction = { number, info, _ in handle(number, info) }
        #endif
        action.sa_flags = Int32(SA_ONSTACK | SA_SIGINFO)
        sigaction(number, &action, state.pointee.former + Int(number))
      }
    }()

    /// A handler may use little more than `write` and `tcsetattr` (POSIX, Signal Concepts).
    private static func handle(_ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
      if state.pointee.isArmed {
        state.pointee.isArmed = false
        let end = state.pointee.end
        _ = Foundation.write(STDOUT_FILENO, end.utf8Start, end.utf8CodeUnitCount)
        tcsetattr(STDIN_FILENO, TCSANOW, &state.pointee.settings)
      }
      sigaction(number, state.pointee.former + Int(number), nil)
      // A faulty instruction is repeated; a signal of a process is not.
      let code = info?.pointee.si_code ?? 0
      if code <= 0 || code == SI_USER { raise(number) }
    }

    /// Prepares the settings and the control sequences that restore the terminal.
    static func arm(_ settings: termios, _ end: StaticString) {
      (state.pointee.settings, state.pointee.end) = (settings, end)
      _ = install
      state.pointee.isArmed = true
    }

    static func disarm() { state.pointee.isArmed = false }
  }
#endif
