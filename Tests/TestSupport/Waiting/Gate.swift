// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CurlewTesting
import Synchronization

/// Blocks tasks until it is opened; releases cancelled tasks.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var lastTicket = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())
  /// A stream that ends at the first arrival.
  private let (noArrival, arrival) = AsyncStream.makeStream(of: Never.self)

  public init() {}

  /// Whether the gate lets all tasks pass.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets all tasks pass from now on.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the gate is open.
  public func wait() async {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if state.isOpen || Task.isCancelled { return true }
          state.waiting[ticket] = continuation
          return false
        }
        arrival.finish()
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
  }

  /// Waits until a task has arrived at the gate.
  public func waitForArrival() async { for await _ in noArrival {} }
}

extension TestClock {
  /// Advances repeatedly until a gate is open: for waits that begin at a moment that a test can't observe.
  public func advance(by step: Duration, until gate: Gate) async {
    while !gate.isOpen, !Task.isCancelled {
      advance(by: step)
      await Task.yield()
    }
  }
}
