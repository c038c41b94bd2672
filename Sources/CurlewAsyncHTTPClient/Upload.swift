import AsyncHTTPClient
import Curlew
import Foundation
import NIOCore
import NIOFoundationCompat
import Synchronization

/// The upload of a body whose chunks are read when the connection accepts them (back-pressure).
final class Upload: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var hasStarted = false
    var isStopped = false
    var failure: (any Error)?
  }

  private let body: OutgoingBody
  private let state = Mutex(State())

  init(_ body: OutgoingBody) {
    self.body = body
  }

  /// The error of the body's source, such as a file that can't be read.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Whether reading from the body's source has started.
  var hasStarted: Bool { state.withLock { $0.hasStarted } }

  /// Starts sending; the future is fulfilled at the end of the body.
  func start(
    to writer: HTTPClient.Body.StreamWriter, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    let task = Task { [self] in
      do {
        try await send(to: writer)
        promise.succeed()
      } catch {
        promise.fail(error)
      }
    }
    let isStopped = state.withLock { state in
      (state.task, state.hasStarted) = (task, true)
      return state.isStopped
    }
    if isStopped { task.cancel() }
    return promise.futureResult
  }

  @concurrent
  private func send(to writer: HTTPClient.Body.StreamWriter) async throws {
    var chunks = body.makeAsyncIterator()
    while let chunk = try await next(&chunks) {
      try await wait(for: writer.write(.byteBuffer(ByteBuffer(data: chunk))))
    }
  }

  /// Waits until the connection accepts more bytes, or the upload is stopped.
  private func wait(for space: EventLoopFuture<Void>) async throws {
    let waiter = Waiter<Void>()
    space.whenComplete { waiter.resume(with: $0) }
    do {
      try await waiter.value()
    } catch {
      // AsyncHTTPClient drops the promise of a failed request, and in debug builds NIO crashes the
      // process when a promise is released without a result.
      assert(
        {
          _ = Unmanaged.passRetained(space)
          return true
        }())
      throw error
    }
  }

  private func next(_ chunks: inout OutgoingBody.AsyncIterator) async throws -> Data? {
    do {
      let chunk = try await chunks.next()
      // A source that ends because the task is cancelled is incomplete.
      try Task.checkCancellation()
      return chunk
    } catch {
      // A cancelled upload was stopped because of another error.
      if !Task.isCancelled { state.withLock { $0.failure = error } }
      throw error
    }
  }

  /// Stops reading the body.
  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task.take()
    }
    task?.cancel()
  }
}
