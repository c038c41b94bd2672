import Curlew
import CurlewTesting
import Foundation
import Synchronization

/// A stub whose transfers can be stopped from outside, as AsyncHTTPClient's can: with it, and with
/// punctual middlewares, a client runs its requests in their callers' tasks.
struct StoppableStub: StoppableTransport {
  let stub: StubTransport

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let transfer = Transfer()
    request.stops(transfer)
    request.awaits(.firstByte)
    var response = try await transfer.run { [stub] in try await stub.send(request) }
    let body = response.body
    let pieces = AsyncThrowingStream<Data, any Error> { pieces in
      let task = Task {
        do {
          for try await piece in body { pieces.yield(piece) }
          pieces.finish()
        } catch {
          pieces.finish(throwing: error)
        }
      }
      transfer.whenStopped {
        task.cancel()
        pieces.finish(throwing: CancellationError())
      }
      pieces.onTermination = { _ in task.cancel() }
    }
    response.body = ResponseBody { [pieces] in
      var iterator = pieces.makeAsyncIterator()
      return {
        // Known only weakly to what stops it.
        defer { withExtendedLifetime(transfer) {} }
        let piece = try await iterator.next(isolation: #isolation)
        // A stream ends for a cancelled reader; a transfer throws.
        if piece == nil { try Task.checkCancellation() }
        return piece
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
