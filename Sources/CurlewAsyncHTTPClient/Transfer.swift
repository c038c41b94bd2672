import AsyncHTTPClient
import Curlew
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// A request and its response in flight, between an event loop that pushes and a task that pulls.
///
/// It uses AsyncHTTPClient's delegate and not its `async` function, so that a transfer can be stopped from
/// outside the waiting task, and a response that arrives at once wakes its task only once.
final class Transfer: HTTPClientResponseDelegate, Stoppable {
  typealias Response = Void

  /// The number of unread bytes above which reading from the connection pauses (back-pressure): 256 KiB.
  private static let highWaterMark = 256 * 1024

  private typealias Taken = (Result<ByteBuffer?, any Error>, EventLoopPromise<Void>?)
  // Unsafe, because a `CheckedContinuation` has no size that is known at compile time: each access to the
  // state would look up its type, a twentieth of a request's cost.
  private typealias HeadWaiter = UnsafeContinuation<HTTPResponseHead, any Error>
  private typealias ChunkWaiter = UnsafeContinuation<ByteBuffer?, any Error>

  private struct State {
    var task: HTTPClient.Task<Void>?
    var isSent = false
    var head: HTTPResponseHead?
    var trailers: HTTPFields?
    var chunks = CircularBuffer<ByteBuffer>(initialCapacity: 2)
    var unread = 0
    /// The outcome of the transfer; earlier bytes can still be read.
    var end: Result<Void, any Error>?
    var headWaiter: HeadWaiter?
    var chunkWaiter: ChunkWaiter?
    /// The promise that is fulfilled when all bytes that have arrived are read.
    var space: EventLoopPromise<Void>?

    /// Returns the result that a reader gets without waiting, and the promise that resumes reading from the
    /// connection.
    mutating func take() -> Taken? {
      guard let chunk = chunks.popFirst() else { return end.map { ($0.map { nil }, nil) } }
      unread -= chunk.readableBytes
      return (.success(chunk), chunks.isEmpty ? space.take() : nil)
    }
  }

  private let request: OutgoingRequest
  /// The upload of a body that is not in memory.
  private let upload: Upload?
  private let slot: RequestQueue.Slot
  private let state = Mutex(State())

  /// Whether the sending of the request has begun.
  var isSent: Bool { state.withLock { $0.isSent } }

  /// Creates a transfer that has not started.
  ///
  /// - Parameter slot: The slot to release when the transfer ends.
  init(_ request: OutgoingRequest, _ slot: RequestQueue.Slot) {
    self.request = request
    self.slot = slot
    upload = request.body.flatMap { $0.data == nil || $0.isObserved ? Upload($0) : nil }
  }

  /// Whether reading from the body's source has started.
  var hasTakenBody: Bool { upload?.hasStarted ?? false }

  /// The error of the body's source, such as a file that can't be read.
  var bodyFailure: (any Error)? { upload?.failure }

  /// Sends the request and returns when the head of the response has arrived.
  func start(on client: EventLoopClient) async throws -> HTTPResponseHead {
    let loop = client.loop(for: slot)
    let body = upload.map { upload in
      HTTPClient.Body.stream(contentLength: self.request.body?.length) { writer in
        upload.start(to: writer, on: loop)
      }
    }
    var request = try HTTPClient.Request(self.request, body: body, on: client.route)
    if slot.pool > 0 { request.tlsConfiguration = client.tls(ofPool: slot.pool) }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let isStopped = state.withLock { state in
          if state.end == nil { state.headWaiter = continuation }
          return state.end != nil
        }
        guard !isStopped else { return continuation.resume(throwing: CancellationError()) }
        begin(request, on: client, loop)
      }
    } onCancel: {
      stop()
    }
  }

  private func begin(
    _ request: HTTPClient.Request, on client: EventLoopClient, _ loop: any EventLoop
  ) {
    // Callbacks may be called before `execute` returns.
    let task = client.http.execute(
      request: request, delegate: self, eventLoop: .delegate(on: loop))
    let isStopped = state.withLock { state in
      state.task = task
      return state.end != nil
    }
    if isStopped { task.cancel() }
    // A client that was shut down does not notify its delegate.
    if client.mayBeShutDown { task.futureResult.whenFailure { self.end(with: .failure($0)) } }
  }

  /// The body, if it arrived with the head as a single piece, as short bodies do.
  var whole: ByteBuffer? {
    state.withLock { state in
      guard case .success = state.end, state.chunks.count <= 1 else { return nil }
      return state.chunks.first ?? ByteBuffer()
    }
  }

  /// The trailer fields; `nil` before the end of the body, and without any.
  var trailers: HTTPFields? { state.withLock { $0.trailers } }

  /// Returns the next piece of the body, or `nil` at its end.
  func next() async throws -> ByteBuffer? {
    if let (result, space) = state.withLock({ $0.take() }) {
      space?.succeed()
      return try result.get()
    }
    return try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let taken = state.withLock { state -> Taken? in
          if state.chunkWaiter != nil {
            return (
              .failure(
                Client.TransportFailure(
                  .other, reason: "another task is already reading the response's body")), nil
            )
          }
          let taken = state.take()
          if taken == nil { state.chunkWaiter = continuation }
          return taken
        }
        guard let (result, space) = taken else { return }
        space?.succeed()
        continuation.resume(with: result)
      }
    } onCancel: {
      stop()
    }
  }

  /// Gives the connection pool up that has no connection for the request yet.
  ///
  /// AsyncHTTPClient waits without a limit for a new connection's SETTINGS (`HTTP2Connection._start0`), offers no way
  /// to close it, and lets all requests to the host wait for it.
  func abandonPool() {
    guard state.withLock({ !$0.isSent && $0.end == nil }) else { return }
    slot.abandonPool()
    // Only a request that may be sent twice: a connection may be ready just now.
    guard request.isRetryable, end(with: .failure(NoConnectionError())) else { return }
    state.withLock { $0.task }?.cancel()
  }

  /// Closes the connection (the stream in HTTP/2), unless the response is complete.
  func stop() {
    guard end(with: .failure(CancellationError())) else { return }
    let task = state.withLock { state in
      state.chunks.removeAll()
      state.unread = 0
      return state.task
    }
    task?.cancel()
  }

  // MARK: On the event loop

  func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
    let isWanted = state.withLock { state in
      state.isSent = true
      return state.end == nil
    }
    // A stopped transfer must not change the connection state that its successor observes.
    guard isWanted else { return }
    slot.connect()
    if upload != nil { request.setSending(true) }
    request.startLimit(upload == nil ? .firstByte : .idle)
  }

  func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) {
    // After the head, the limit runs only while the body is read.
    if upload != nil,
      state.withLock({ $0.end == nil && ($0.head == nil || $0.chunkWaiter != nil) })
    {
      request.startLimit(.idle)
    }
  }

  func didSendRequest(task: HTTPClient.Task<Void>) {
    if upload != nil { request.setSending(false) }
    if upload != nil, state.withLock({ $0.head == nil && $0.end == nil }) {
      request.startLimit(.firstByte)
    }
  }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    state.withLock { $0.head = head }
    slot.setMultiplexed(head.version.major >= 2)
    // Delivered after the bytes that arrived with the head, so that a short response is complete when its
    // task wakes.
    task.eventLoop.execute { self.deliverHead() }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    if buffer.readableBytes == 0 {
      if let trailers = buffer.trailers { receive(trailers) } else { endEarly() }
      return task.eventLoop.makeSucceededVoidFuture()
    }
    let (waiter, space) = state.withLock { state in
      // The body has no reader any more, so a promise would never be fulfilled.
      guard state.end == nil else { return (ChunkWaiter?.none, EventLoopPromise<Void>?.none) }
      if let waiter = state.chunkWaiter.take() {
        return (Optional(waiter), EventLoopPromise<Void>?.none)
      }
      state.chunks.append(buffer)
      state.unread += buffer.readableBytes
      if state.unread > Self.highWaterMark {
        state.space = task.eventLoop.makePromise()
      }
      return (nil, state.space)
    }
    waiter?.resume(returning: buffer)
    return space?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
  }

  private func receive(_ trailers: HTTPFields) {
    let size = trailers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    if size > request.limits.headerSize {
      end(with: .failure(HeaderTooLong()))
    } else {
      state.withLock { $0.trailers = trailers }
    }
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {
    end(with: .success(()))
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
    end(with: .failure(error))
  }

  /// Ends a transfer whose response is complete before the request's body (``EarlyResponseHandler``).
  private func endEarly() {
    guard end(with: .success(())) else { return }
    state.withLock { $0.task }?.cancel()
  }

  private func deliverHead() {
    let delivery = state.withLock { state -> (HeadWaiter, HTTPResponseHead)? in
      guard let head = state.head, let waiter = state.headWaiter.take() else { return nil }
      return (waiter, head)
    }
    if let (waiter, head) = delivery { waiter.resume(returning: head) }
  }

  /// Ends the transfer and resumes its waiters; returns `false` if it had already ended.
  @discardableResult
  private func end(with result: Result<Void, any Error>) -> Bool {
    deliverHead()
    typealias Waiters = (head: HeadWaiter?, chunk: ChunkWaiter?, space: EventLoopPromise<Void>?)
    let waiters = state.withLock { state -> Waiters? in
      guard state.end == nil else { return nil }
      state.end = result
      return (state.headWaiter.take(), state.chunkWaiter.take(), state.space.take())
    }
    guard let waiters else { return false }
    upload?.stop()
    slot.release()
    // The promise's callbacks retain this transfer: unfulfilled, they would be a retain cycle.
    waiters.space?.succeed()
    switch result {
    case .success:
      waiters.chunk?.resume(returning: nil)
    case .failure(let error):
      waiters.head?.resume(throwing: error)
      waiters.chunk?.resume(throwing: error)
    }
    return true
  }
}
