#if os(macOS) || os(Linux)
  import Foundation

  /// Where signal handlers write the numbers of the terminal's signals; -1 while nobody reads them.
  ///
  /// A handler may use little more than `write` (POSIX, Signal Concepts). Dispatch's signal sources lose a signal now and then on
  /// Linux, when a thread that doesn't block it receives it.
  nonisolated(unsafe) private var signalPipe: Int32 = -1

  /// Reads standard input and handles the terminal's signals, until it is stopped.
  final class TerminalInput {
    private let signals: [Int32]

    /// Starts to read.
    ///
    /// - Parameter endsAtSignals: Whether termination signals restore the terminal and end the
    ///   process here; otherwise, other code ends the process with `exit`.
    init(_ events: AsyncStream<TerminalEvent>.Continuation, endsAtSignals: Bool) {
      signals = [SIGWINCH, SIGCONT, SIGTSTP] + (endsAtSignals ? [SIGHUP, SIGINT, SIGTERM] : [])
      var pipe: [Int32] = [-1, -1]
      _ = Foundation.pipe(&pipe)
      signalPipe = pipe[1]
      for number in signals { Self.catch(number) }
      Thread.detachNewThread { [signals = pipe[0]] in Self.read(signals, events) }
    }

    /// Writes a signal to the pipe instead of its default action.
    static func `catch`(_ number: Int32) {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(signalPipe, &byte, 1)
        errno = error
      }
    }

    /// Stops reading, so that the shell receives further input.
    func stop() {
      for number in signals { signal(number, SIG_DFL) }
      close(signalPipe)
      signalPipe = -1
    }

    /// Reads until the writing end of the pipe of signals is closed.
    private static func read(
      _ signals: Int32, _ events: AsyncStream<TerminalEvent>.Continuation
    ) {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      var parser = TerminalKeyParser()
      defer {
        close(signals)
        events.finish()
      }
      while true {
        var ready = [STDIN_FILENO, signals].map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // A pause after Escape means the key, not the beginning of a sequence.
        let count = poll(&ready, 2, parser.isPending ? 40 : -1)
        if count == 0 { events.yield(.pressed(parser.flush())) }
        if count < 0, errno != EINTR { return }
        guard count > 0 else { continue }
        let isSignal = ready[1].revents != 0
        let length = Foundation.read(isSignal ? signals : STDIN_FILENO, &buffer, buffer.count)
        if length < 0, errno == EINTR || errno == EAGAIN { continue }
        guard length > 0 else { return }
        if isSignal {
          for number in buffer[..<length] { handle(Int32(number), events) }
        } else {
          events.yield(.pressed(parser.read(buffer[..<length])))
        }
      }
    }

    private static func handle(
      _ number: Int32, _ events: AsyncStream<TerminalEvent>.Continuation
    ) {
      switch number {
      case SIGWINCH: events.yield(.resized)
      case SIGCONT: events.yield(.continued)
      case SIGTSTP: events.yield(.suspended)
      default:
        TerminalMode.leave()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
  }
#endif
