import Dispatch
import Foundation

/// An event in a terminal session.
package enum TerminalEvent: Sendable {
  /// Bytes were read from the terminal.
  case typed([UInt8])
  /// Nothing was read for a short time after a number of reads.
  case paused(afterReads: Int)
  /// The window was resized, or used by another program in the meantime.
  case resized
  /// The shell has resumed the process.
  case continued
  /// The screen's state has changed.
  case changed
  /// The screen navigates to an address.
  case opened(String)
}

/// Reads standard input and handles the terminal's signals, until it is stopped.
final class TerminalInput {
  private let events: AsyncStream<TerminalEvent>.Continuation
  private let signals: [any DispatchSourceSignal]
  /// The ends of a pipe that wakes up the reading thread.
  private let (wake, alarm): (Int32, Int32)

  /// Starts to read.
  ///
  /// - Parameter endsAtSignals: Whether termination signals restore the terminal and end the
  ///   process here; otherwise, other code ends the process with `exit`.
  init(_ events: AsyncStream<TerminalEvent>.Continuation, endsAtSignals: Bool) {
    self.events = events
    var pipe: [Int32] = [-1, -1]
    _ = Foundation.pipe(&pipe)
    (wake, alarm) = (pipe[0], pipe[1])
    var signals = [
      Self.source(SIGWINCH) { events.yield(.resized) },
      Self.source(SIGCONT) { events.yield(.continued) },
    ]
    if endsAtSignals {
      signals += [SIGHUP, SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        return Self.source(number) {
          TerminalMode.leave()
          signal(number, SIG_DFL)
          kill(getpid(), number)
        }
      }
    }
    self.signals = signals
    Thread.detachNewThread { [wake] in Self.read(wake, events) }
  }

  /// Stops reading, so that the shell receives further input.
  func stop() {
    for signal in signals { signal.cancel() }
    close(alarm)
  }

  private static func source(
    _ number: Int32, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: handler)
    source.resume()
    return source
  }

  private static func read(
    _ wake: Int32, _ events: AsyncStream<TerminalEvent>.Continuation
  ) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    defer {
      close(wake)
      events.finish()
    }
    while true {
      var ready = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&ready, 2, -1) < 0 {
        if errno == EINTR { continue }
        return
      }
      guard ready[1].revents == 0 else { return }
      let length = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
      if length < 0, errno == EINTR || errno == EAGAIN { continue }
      guard length > 0 else { return }
      events.yield(.typed(Array(buffer[..<length])))
    }
  }
}
