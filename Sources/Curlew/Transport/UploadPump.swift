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
  private let onEnd: @Sendable (Result<Int64, any Error>) -> Void
  private let state = Mutex(State())

  /// - Parameter onEnd: Called with the number of bytes when all are written, or with the error of the body's source.
  package init(
    _ body: OutgoingBody, onEnd: @escaping @Sendable (Result<Int64, any Error>) -> Void
  ) {
    var body = body
    // The session tells what was sent.
    body.observer = nil
    (self.body, self.onEnd) = (body, onEnd)
  }

  /// Starts to write, in place of what is written now, which the session has dropped.
  ///
  /// - Returns: Whether it does; a body that can be read only once is not sent again.
  package func start(into sink: some Sink) -> Bool {
    state.withLock { state in
      guard !state.isStopped, !state.isStarted || body.isRepeatable else { return false }
      state.isStarted = true
      state.task?.cancel()
      state.task = Task { [body, onEnd] in
        defer { sink.close() }
        var length: Int64 = 0
        do {
          for try await chunk in body {
            try Task.checkCancellation()
            do { try await sink.write(chunk) } catch { return }
            length += Int64(chunk.count)
          }
          if !Task.isCancelled { onEnd(.success(length)) }
        } catch {
          // A sink that is written no more belongs to a session that has ended itself.
          if !Task.isCancelled { onEnd(.failure(error)) }
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
