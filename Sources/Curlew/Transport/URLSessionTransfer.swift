import Foundation
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
  import Dispatch
  import FoundationNetworking
#endif

/// One transfer of a `URLSession`: returns the head, then the body's chunks on demand.
final class URLSessionTransfer: Stoppable {
  private struct State {
    var awaitingHead: CheckedContinuation<IncomingResponse, any Error>?
    var awaitingPiece: CheckedContinuation<Data?, any Error>?
    var unread = Data()
    var received = 0
    /// Whether the next head is that of a tunnel through a proxy, on Linux.
    var awaitsTunnel: Bool
    var isPaused = false
    /// The outcome; set once, when no more data arrives.
    var end: Result<Void, any Error>?
    /// Whether the session has completed the task, too.
    var isComplete = false
  }

  let task: URLSessionDataTask
  private let control: URLSessionControl
  private let limit: Int
  private let slot: RequestQueue.Slot
  private let state: Mutex<State>

  /// - Parameters:
  ///   - limit: The maximum size of the body, in bytes; a larger body ends the transfer with an error.
  ///   - slot: Released when the transfer ends.
  ///   - hasTunnel: Whether the session reports the head of a tunnel before that of the response.
  init(
    _ task: URLSessionDataTask, of session: URLSession, limit: Int, _ slot: RequestQueue.Slot,
    hasTunnel: Bool
  ) {
    self.task = task
    state = Mutex(State(awaitsTunnel: hasTunnel))
    self.slot = slot
    control = URLSessionControl(task, of: session)
    self.limit = limit
  }

  /// Starts the transfer and returns when the response's head has arrived.
  func head() async throws -> IncomingResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = state.withLock { state in
          if state.end == nil { state.awaitingHead = continuation }
          return state.end
        }
        if case .failure(let error) = end {
          continuation.resume(throwing: error)
        } else {
          task.resume()
        }
      }
    } onCancel: {
      stop()
    }
  }

  private func nextPiece() async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { take(for: $0) }
    } onCancel: {
      stop()
    }
  }

  private func take(for continuation: CheckedContinuation<Data?, any Error>) {
    let result = state.withLock { state -> Result<Data?, any Error>? in
      if !state.unread.isEmpty {
        defer { state.unread = Data() }
        // A transfer that has ended stays paused until it is cancelled.
        if state.isPaused, state.end == nil { setPaused(false, &state) }
        return .success(state.unread)
      }
      if let end = state.end { return end.map { nil } }
      if state.awaitingPiece != nil { return .failure(Client.TransportFailure.secondReader) }
      state.awaitingPiece = continuation
      return nil
    }
    if let result { continuation.resume(with: result) }
  }

  /// Closes the connection (the stream in HTTP/2), unless the response is complete.
  func stop() { end(CancellationError()) }

  /// Stops the transfer when its body and all iterators are released.
  private final class Reader: Sendable {
    let transfer: URLSessionTransfer

    init(_ transfer: URLSessionTransfer) {
      self.transfer = transfer
    }

    deinit {
      transfer.stop()
    }
  }
}

// The callbacks of the session's delegate, in this order.
extension URLSessionTransfer {
  func receive(_ response: URLResponse) {
    // On Linux, informational responses are reported like final responses. A response without a valid
    // status is treated as missing.
    guard let response = response as? HTTPURLResponse, 200...999 ~= response.statusCode
    else { return }
    guard !isOfTunnel(response) else { return }
    guard response.hasValidLength else {
      end(
        Client.TransportFailure(
          .protocolError, reason: "its Content-Length is not an integer (RFC 9112 section 6.3)"))
      return
    }
    guard let awaiting = state.withLock({ $0.awaitingHead.take() }) else { return }
    let hasBody = task.originalRequest?.httpMethod != "HEAD"
    let head = HTTPResponse(response, hasBody: hasBody)
    let requested = task.originalRequest?.value(forHTTPHeaderField: "Accept-Encoding")
    // A remaining coding was not decoded by `URLSession`. A request that sets `Accept-Encoding` expects
    // the coding.
    let left =
      hasBody && requested == nil
      ? ContentCodings(head.headerFields[.contentEncoding] ?? "").names.joined(separator: ", ") : ""
    let reader = Reader(self)
    var incoming = IncomingResponse(
      head: head,
      body: ResponseBody {
        {
          let piece = try await reader.transfer.nextPiece()
          if !left.isEmpty, piece?.isEmpty == false {
            throw Client.TransportFailure(
              .contentCoding,
              reason: "the body's content coding is \(left.prefix(40)), which was not requested")
          }
          return piece
        }
      })
    let coding = response.value(forHTTPHeaderField: "Content-Encoding") ?? ""
    incoming.isDecoded =
      head.headerFields[.contentEncoding] == nil && !["", "identity"].contains(coding.lowercased())
    awaiting.resume(returning: incoming)
  }

  /// Returns whether a head is a proxy's response to `CONNECT`; ends the transfer if there is no tunnel.
  ///
  /// It must not be taken for the server's response, which no proxy can send.
  private func isOfTunnel(_ response: HTTPURLResponse) -> Bool {
    let isOfTunnel = state.withLock { state in
      defer { state.awaitsTunnel = false }
      return state.awaitsTunnel
    }
    if isOfTunnel, !(200...299 ~= response.statusCode) {
      end(Client.TransportFailure.noTunnel(status: response.statusCode))
    }
    return isOfTunnel
  }

  func receive(_ data: Data) {
    let (awaiting, received) = state.withLock { state in
      state.received += data.count
      if state.awaitingPiece == nil, state.end == nil { state.unread.append(data) }
      return (state.awaitingPiece.take(), state.received)
    }
    awaiting?.resume(returning: data)
    if received > limit {
      end(ResponseBody.TooLong())
    } else if awaiting == nil {
      // Back-pressure for a slow reader.
      state.withLock { state in
        guard state.unread.count > 1024 * 1024, !state.isPaused, state.end == nil else { return }
        setPaused(true, &state)
      }
    }
  }

  /// Handles the end of the session's task.
  func complete(_ error: (any Error)?) {
    finish((error as? URLError)?.headerLimit ?? error)
    state.withLock { state in
      state.isComplete = true
      // Releasing a paused queue would abort the process.
      if state.isPaused { setPaused(false, &state) }
    }
  }

  /// Ends the transfer and closes its connection, unless it has ended already.
  func end(_ error: (any Error)?) {
    guard finish(error) else { return }
    #if canImport(FoundationNetworking)
      // A task that receives without a pause would be cancelled late or never.
      state.withLock { state in
        if !state.isPaused, !state.isComplete { setPaused(true, &state) }
      }
    #endif
    control.cancel()
  }

  /// Ends the transfer; returns `false` if it had already ended.
  @discardableResult
  private func finish(_ error: (any Error)?) -> Bool {
    if error == nil, let response = task.response {
      // On Linux, a redirect without a usable target completes without reporting its head.
      receive(response)
    }
    let end = error.map { Result<Void, any Error>.failure($0) } ?? .success(())
    let (isFirst, head, piece) = state.withLock { state in
      let isFirst = state.end == nil
      if isFirst { state.end = end }
      return (isFirst, state.awaitingHead.take(), state.awaitingPiece.take())
    }
    if isFirst { slot.release() }
    head?.resume(
      throwing: error
        ?? Client.TransportFailure(
          .protocolError, reason: "the response has no status from 200 to 999"))
    piece?.resume(with: end.map { nil })
    return isFirst
  }

  /// Pauses or resumes the transfer; called within the lock, so that changes take effect in order.
  private func setPaused(_ isPaused: Bool, _ state: inout State) {
    state.isPaused = isPaused
    if isPaused { control.pause() } else { control.resume() }
  }
}

extension HTTPURLResponse {
  /// Whether the `Content-Length` is missing or a single number: libcurl reads only its leading digits,
  /// or the first of several numbers.
  fileprivate var hasValidLength: Bool {
    guard let text = value(forHTTPHeaderField: "Content-Length"),
      value(forHTTPHeaderField: "Transfer-Encoding") == nil
    else { return true }
    let lengths = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return Set(lengths).count == 1
      && lengths.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } && Int64($0) != nil }
  }
}

extension HTTPResponse {
  /// Creates a head from a session's response, without the fields that don't apply to a decompressed
  /// body.
  fileprivate init(_ response: HTTPURLResponse, hasBody: Bool) {
    self.init(status: Status(code: response.statusCode))
    for (name, value) in response.allHeaderFields {
      guard let name = (name as? String).flatMap({ HTTPField.Name($0) }),
        let value = value as? String
      else { continue }
      // Lines that `URLSession` joined; no URL has a comma and a space.
      let values =
        switch name {
        case .setCookie: SetCookie.values(in: value)
        case .location: value.components(separatedBy: ", ")
        default: [value]
        }
      for value in values { headerFields.append(HTTPField(name: name, value: value)) }
    }
    guard hasBody, status != .noContent, status != .notModified,
      let codings = headerFields[.contentEncoding]?.lowercased().split(separator: ","),
      codings.allSatisfy({ Self.decodedCodings.contains($0.trimmingCharacters(in: .whitespaces)) })
    else { return }
    headerFields[.contentEncoding] = nil
    headerFields[.contentLength] = nil
  }

  /// The content codings that `URLSession` decodes.
  private static let decodedCodings: Set<String> = [
    "", "br", "deflate", "gzip", "identity", "x-gzip", "zstd",
  ]
}

#if canImport(FoundationNetworking)
  /// Pauses and cancels the only task of a session, on Linux.
  ///
  /// Each session reads from the network on its own serial queue, and all these queues share a single
  /// thread, on which a queue runs until it is empty. When a server sends faster than the client reads,
  /// its queue is never empty: no other task of the process makes progress, and none is cancelled. So
  /// the queue is suspended, not the task: a suspended task sends its request again.
  ///
  /// No public property returns the queue. If it is not found, nothing is paused.
  struct URLSessionControl: Sendable {
    private let task: URLSessionTask
    private let queue: DispatchQueue?

    init(_ task: URLSessionTask, of session: URLSession) {
      self.task = task
      queue = Mirror(reflecting: session).descendant("multiHandle", "queue") as? DispatchQueue
    }

    func pause() { queue?.suspend() }

    func resume() { queue?.resume() }

    /// Cancels the task asynchronously: `cancel()` waits for the thread that reads from the network, on
    /// which the task's delegate is called.
    func cancel() {
      Self.cancellations.async { task.cancel() }
    }

    private static let cancellations = DispatchQueue(label: "Curlew.URLSessionControl")
  }

  /// Lets a session call its delegate at once, on the thread that reads from the network.
  ///
  /// The queue that a session creates for itself falls behind, and grows without limit.
  final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }
#else
  /// Pauses and cancels a task.
  struct URLSessionControl: Sendable {
    private let task: URLSessionTask

    init(_ task: URLSessionTask, of session: URLSession) {
      self.task = task
    }

    func pause() { task.suspend() }

    func resume() { task.resume() }

    func cancel() { task.cancel() }
  }
#endif
