import Foundation
import Synchronization

/// Writes a body chunk by chunk into the stream from which a session reads.
final class UploadPump: Sendable {
  /// The writing end of a stream.
  protocol Sink: Sendable {
    /// Writes all of the bytes; waits until the stream has room.
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

  /// - Parameter onEnd: Called at the end with the number of bytes written, or with the error of the body's source.
  init(
    _ body: OutgoingBody, onEnd: @escaping @Sendable (Result<Int64, any Error>) -> Void
  ) {
    var body = body
    // The session reports the sent bytes.
    body.observer = nil
    (self.body, self.onEnd) = (body, onEnd)
  }

  /// Starts writing; stops writing into the previous sink, which the session has dropped.
  ///
  /// - Returns: Whether writing has started; a body that can be read only once is not sent again.
  func start(into sink: some Sink) -> Bool {
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
          // Only errors of the source are reported: a session with a failed sink has ended itself.
          if !Task.isCancelled { onEnd(.failure(error)) }
        }
      }
      return true
    }
  }

  /// Stops writing.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.task?.cancel()
    }
  }
}
