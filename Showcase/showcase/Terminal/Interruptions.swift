@preconcurrency import Dispatch
import Foundation

/// Tidies up before Control-C, or a polite kill, ends the process as it would have done anyway.
struct Interruptions {
  private let sources: [any DispatchSourceSignal]
  private let numbers: [Int32]

  /// Begins to watch for signals, and returns when none can be missed any more; `tidyUp` runs on a
  /// thread of its own.
  init(tidyUp: @escaping @Sendable () -> Void) {
    // A signal that whoever started the process has it ignore stays ignored.
    numbers = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
    let registered = DispatchGroup()
    sources = numbers.map { number in
      registered.enter()
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        tidyUp()
        Self.endProcess(by: number)
      }
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      return source
    }
    // Until then a signal is lost.
    _ = registered.wait(timeout: .now() + 1)
  }

  /// Leaves the signals to the system again.
  func stop() {
    for (source, number) in zip(sources, numbers) {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Glibc)
      return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
    #else
      return action.__sigaction_u.__sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
    #endif
  }

  private static func endProcess(by number: Int32) {
    signal(number, SIG_DFL)
    // The queue's thread may have the signal blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
