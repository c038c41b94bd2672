package import Foundation
import Synchronization

/// Reads a body chunk by chunk into the stream that a session reads it from.
package final class UploadPump: Sendable {
  /// The end of a stream that is written to.
  package protocol Sink: Sendable {
    /// Writes all of the bytes; waits for room.
    func write(_ data: Data) async throws
    /// Ends the stream.
    func close()
  }

  private struct State {
    var task: Task<Void, Never>?
    var isStarted = false
    var isStopped = false
  }

  private let body: OutgoingBody
  private let onFailure: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  /// - Parameter onFailure: Called with the error of the body's source.
  package init(_ body: OutgoingBody, onFailure: @escaping @Sendable (any Error) -> Void) {
    var body = body
    // The session tells what was sent.
    body.observer = nil
    (self.body, self.onFailure) = (body, onFailure)
  }

  /// Starts to write, in place of what is written now, which the session has dropped.
  ///
  /// - Returns: Whether it does; a body that can be read only once is not sent again.
  package func start(into sink: some Sink) -> Bool {
    state.withLock { state in
      guard !state.isStopped, !state.isStarted || body.isRepeatable else { return false }
      state.isStarted = true
      state.task?.cancel()
      state.task = Task { [body, onFailure] in
        defer { sink.close() }
        do {
          for try await chunk in body {
            try Task.checkCancellation()
            do { try await sink.write(chunk) } catch { return }
          }
        } catch {
          // A sink that is written no more belongs to a session that has ended itself.
          if !Task.isCancelled { onFailure(error) }
        }
      }
      return true
    }
  }

  /// Stops to write.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      state.task?.cancel()
    }
  }
}
