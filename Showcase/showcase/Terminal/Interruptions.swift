import Foundation
import Synchronization

/// Tidies up before Control-C, or a polite kill, ends the process as it would have done anyway.
///
/// One at a time. Not by a `DispatchSource`: it needs the signal to be ignored first, and for that
/// moment signals are lost, and programs that are started then ignore it for good.
struct Interruptions {
  private static let tidyUp = Mutex<(@Sendable () -> Void)?>(nil)
  /// Both ends stay open for good: a handler may still be writing.
  private static let pipe = Pipe()
  private static let descriptor = Atomic<Int32>(-1)
  /// Started once, by the first access.
  private static let reader: Void = {
    descriptor.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .releasing)
    // Waits for signals, tidies up, and ends the process.
    Thread.detachNewThread(waitForSignal)
  }()

  private let numbers: [Int32]

  /// Begins to watch for signals; `tidyUp` runs on a thread of its own.
  init(tidyUp: @escaping @Sendable () -> Void) {
    // A signal that whoever started the process has it ignore stays ignored.
    numbers = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
    Self.tidyUp.withLock { $0 = tidyUp }
    Self.reader
    for number in numbers { signal(number, Self.passOn) }
  }

  /// Leaves the signals to the system again.
  func stop() {
    for number in numbers { signal(number, SIG_DFL) }
    Self.tidyUp.withLock { $0 = nil }
  }

  /// All that a signal's handler may do: few functions are safe in it (signal-safety(7)).
  private static let passOn: @convention(c) (Int32) -> Void = { number in
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(descriptor.load(ordering: .acquiring), &byte, 1)
    errno = before
  }

  @Sendable private static func waitForSignal() {
    // Every other thread may have them blocked, where whoever started the process did.
    unblock([SIGINT, SIGTERM, SIGHUP])
    var byte: UInt8 = 0
    while read(pipe.fileHandleForReading.fileDescriptor, &byte, 1) != 1 {}
    tidyUp.withLock { $0 }?()
    let number = Int32(byte)
    signal(number, SIG_DFL)
    raise(number)
  }

  private static func unblock(_ numbers: [Int32]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
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
}
