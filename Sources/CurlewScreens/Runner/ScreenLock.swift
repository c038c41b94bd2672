import Foundation
import Synchronization

/// The lock that protects a runner's storage.
///
/// A screen that calls its own runner while it holds the lock stops the process with a message,
/// instead of causing a deadlock.
struct ScreenLock<State: Equatable & Sendable>: ~Copyable, Sendable {
  private let storage: Mutex<RunnerStorage<State>>
  /// The thread that holds the lock; zero when none does.
  private let owner = Atomic<UInt>(0)

  init(_ storage: sending RunnerStorage<State>) {
    self.storage = Mutex(storage)
  }

  /// Calls a closure while holding the lock.
  ///
  /// - Parameter name: The screen's name in the message.
  func withLock<Result>(
    _ name: @autoclosure () -> String, _ body: (inout RunnerStorage<State>) -> sending Result
  ) -> sending Result {
    let thread = Self.thread
    // Only this thread can have stored its own id, so there is no race.
    guard owner.load(ordering: .relaxed) != thread else {
      fatalError(
        "\(name()) called its own runner while it was changing its state. A screen must start work instead, and send no events."
      )
    }
    return storage.withLock { storage in
      owner.store(thread, ordering: .relaxed)
      defer { owner.store(0, ordering: .relaxed) }
      return body(&storage)
    }
  }

  private static var thread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
