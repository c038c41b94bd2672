import AsyncHTTPClient
import Curlew
import Foundation
import NIOCore
import NIOFoundationCompat
import Synchronization

/// The sending of a body whose chunks are read when the connection takes them (back-pressure).
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

  /// Whether the body's source was asked for its bytes.
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

  /// Waits until the connection takes more, or the sending is stopped.
  private func wait(for space: EventLoopFuture<Void>) async throws {
    let waiter = Waiter<Void>()
    space.whenComplete { waiter.resume(with: $0) }
    do {
      try await waiter.value()
    } catch {
      // AsyncHTTPClient drops the promise of a request that fails, and NIO ends the process at a promise
      // that is released without a result, in debug builds.
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
      // A source that ends because the task is cancelled has not delivered everything.
      try Task.checkCancellation()
      return chunk
    } catch {
      // Stopped because of another error.
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
