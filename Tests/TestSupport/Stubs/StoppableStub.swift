// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Curlew
public import CurlewTesting
import Foundation
import Synchronization

/// A stub whose transfers can be stopped from outside, like AsyncHTTPClient's.
///
/// With it, and with punctual middlewares, a client runs its requests in their callers' tasks.
public struct StoppableStub: Transport {
  public let stub: StubTransport
  public var isStoppable: Bool { true }

  public init(stub: StubTransport) {
    self.stub = stub
  }

  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let transfer = Transfer()
    request.stopOnTimeout(transfer)
    request.startLimit(.firstByte)
    var response = try await transfer.run { [stub] in try await stub.send(request) }
    let body = response.body
    // Each piece is read on demand: when a test sees the stub wait, the client waits, too.
    response.body = ResponseBody {
      // Only one task uses the iterator at a time.
      nonisolated(unsafe) var pieces = body.makeAsyncIterator()
      return {
        // The stopping code holds the transfer only weakly.
        defer { withExtendedLifetime(transfer) {} }
        return try await transfer.run { try await pieces.next() }
      }
    }
    return response
  }

  private final class Transfer: Stoppable {
    private enum State {
      case running([@Sendable () -> Void])
      case stopped
    }

    private let state = Mutex(State.running([]))

    func stop() {
      let stops = state.withLock { state -> [@Sendable () -> Void] in
        guard case .running(let stops) = state else { return [] }
        state = .stopped
        return stops
      }
      for stop in stops { stop() }
    }

    func whenStopped(_ stop: @escaping @Sendable () -> Void) {
      let isStopped = state.withLock { state in
        guard case .running(let stops) = state else { return true }
        state = .running(stops + [stop])
        return false
      }
      if isStopped { stop() }
    }

    func run<Value: Sendable>(
      _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
      let task = Task { try await operation() }
      whenStopped { task.cancel() }
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }
}
