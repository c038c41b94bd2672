import CurlewScreens
import Foundation
import Synchronization
public import Testing

/// Responses that a test supplies one by one: a screen's work suspends in ``next(for:)`` until the test, or an exploration,
/// replies.
///
/// A cancelled call keeps waiting, because a server's response may already be in transit. A test can therefore reply to
/// a superseded call late.
public final class PendingResponses<Request: Sendable, Response: Sendable>: Sendable {
  private struct Call {
    let id: Int
    let request: Request
    var isCancelled = false
    let continuation: CheckedContinuation<Result<Response, any Error>, Never>
  }

  private struct State {
    var requested: [Request] = []
    var waiting: [Call] = []
    var cancelled: Set<Int> = []
    /// The ended calls, if what happens next depends on their order.
    var ended: [String] = []
  }

  private let state = Mutex(State())
  private let allowsEqualRequests: Bool
  /// Returns the usual response to a request; `nil` if only the test knows it.
  private let respond: (@Sendable (Request) throws -> Response)?

  /// Whether the calls are the requests to a stub, which keep their order with the other steps.
  private let isStub: Bool

  /// Creates an instance without requests.
  public init() { (respond, allowsEqualRequests, isStub) = (nil, true, false) }

  /// Creates an instance without requests, for an exploration, which replies by a closure.
  ///
  /// - Parameters:
  ///   - allowsEqualRequests: Whether two equal requests may be pending at once.
  ///   - respond: A closure that returns the response to a request when it arrives.
  public init(
    allowsEqualRequests: Bool = false, _ respond: @escaping @Sendable (Request) throws -> Response
  ) {
    (self.respond, self.allowsEqualRequests, isStub) = (respond, allowsEqualRequests, false)
  }

  /// Creates the pending requests to a stub.
  init(stub respond: @escaping @Sendable (Request) throws -> Response) {
    (self.respond, allowsEqualRequests, isStub) = (respond, true, true)
  }

  /// The requests so far, in order.
  public var requested: [Request] { state.withLock { $0.requested } }

  /// The pending requests, in order.
  public var waiting: [Request] { state.withLock { $0.waiting.map(\.request) } }

  /// The pending requests whose calls have not been cancelled, in order.
  public var active: [Request] {
    state.withLock { $0.waiting.filter { !$0.isCancelled }.map(\.request) }
  }

  /// Suspends until the test replies to a request.
  public func next(for request: Request) async throws -> Response {
    if let run = ExplorationRun.current {
      try begin(request, in: run)
      if run.respondsAtOnce { return try usual(request).get() }
    }
    let id = state.withLock { state in
      state.requested.append(request)
      return state.requested.count
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          let isCancelled = state.cancelled.remove(id) != nil
          state.waiting.append(
            Call(id: id, request: request, isCancelled: isCancelled, continuation: continuation))
        }
      }
    } onCancel: {
      state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return
        }
        state.waiting[index].isCancelled = true
      }
    }
    return try result.get()
  }

  private func begin(_ request: Request, in run: ExplorationRun) throws {
    if run.hasEnded { throw CancellationError() }
    // The first request of a new run.
    if run.add(self) { state.withLock { $0 = State() } }
    let code = ValueText.code(request)
    run.count(request: isStub ? "\(request)" : code)
    let isPending = state.withLock { state in
      state.waiting.contains { !$0.isCancelled && ValueText.code($0.request) == code }
    }
    if isPending, !allowsEqualRequests, !run.respondsAtOnce {
      run.fail("The request \(code) is sent while an equal request is pending.")
    }
    if respond == nil {
      run.fail("Create the PendingResponses with a closure, so that the exploration can reply.")
    }
  }

  /// Replies to the pending request at an index, by default the oldest request.
  ///
  /// The test fails if no request is pending at the index.
  public func reply(
    _ result: Result<Response, any Error>, to index: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (call, waiting) = state.withLock { state in
      let waiting = state.waiting.map(\.request)
      return (waiting.indices.contains(index) ? state.waiting.remove(at: index) : nil, waiting)
    }
    guard let call else {
      failTest(
        "No request is pending at index \(index). Pending: \(waiting).",
        sourceLocation: sourceLocation)
      return
    }
    call.continuation.resume(returning: result)
  }

  /// Replies to the pending request at an index with the usual response.
  ///
  /// The test fails if no request is pending at the index.
  public func reply(to index: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let waiting = waiting
    let response =
      waiting.indices.contains(index) ? usual(waiting[index]) : .failure(URLError(.unknown))
    reply(response, to: index, sourceLocation: sourceLocation)
  }
}

extension PendingResponses where Request: Equatable {
  /// Replies to the oldest pending request that equals a value.
  ///
  /// The test fails if no such request is pending.
  public func reply(
    _ result: Result<Response, any Error>, for request: Request,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let index = waiting.firstIndex(of: request) else {
      failTest(
        "\(String(reflecting: request)) is not pending. Pending: \(waiting).",
        sourceLocation: sourceLocation)
      return
    }
    reply(result, to: index, sourceLocation: sourceLocation)
  }
}

extension PendingResponses {
  /// Replies to the oldest pending request that equals a value with the usual response.
  ///
  /// The test fails if no such request is pending.
  public func reply(for request: Request, sourceLocation: SourceLocation = #_sourceLocation)
  where Request: Equatable {
    reply(usual(request), for: request, sourceLocation: sourceLocation)
  }

  private func usual(_ request: Request) -> Result<Response, any Error> {
    Result {
      guard let respond else { throw URLError(.unsupportedURL) }
      return try respond(request)
    }
  }
}

extension PendingResponses: StepSource {
  /// Replies, failures and, of cancelled calls, cancellations.
  var nextSteps: [ExplorationStep] {
    var codes: [String: Int] = [:]
    let calls = state.withLock { $0.waiting }
    return calls.flatMap { call -> [ExplorationStep] in
      let request = ValueText.code(call.request)
      let number = codes.updateValue(codes[request, default: -1] + 1, forKey: request) ?? -1
      // Of equal requests, the index tells which.
      let index = calls.firstIndex { $0.id == call.id } ?? 0
      let target = number < 0 ? "for: \(request)" : "to: \(index) /* \(request) */"
      let failure: any Error =
        call.isCancelled ? CancellationError() : URLError(.networkConnectionLost)
      let code = call.isCancelled ? "CancellationError()" : "URLError(.networkConnectionLost)"
      let name = "\(call.request)\(number < 0 ? "" : " (\(number + 2))")"
      let kinds: (ExplorationStep.Kind, ExplorationStep.Kind) =
        call.isCancelled
        ? (.cancellation(call.request), .cancellation(call.request))
        : (.response(call.request), .failure(call.request))
      let steps = [
        ExplorationStep(isStub ? "// \(name): response" : "responses.reply(\(target))", kinds.0) {
          [self] in resume(call, with: usual(call.request))
        },
        ExplorationStep(
          isStub ? "// \(name): \(code)" : "responses.reply(.failure(\(code)), \(target))", kinds.1
        ) { [self] in resume(call, with: .failure(failure)) },
      ]
      // A late response to a cancelled request is the exception.
      return call.isCancelled ? steps.reversed() : steps
    }
  }

  var pendingCalls: [String] {
    state.withLock { state in
      state.waiting.map { "\(ValueText.code($0.request)) \($0.isCancelled)" } + state.ended
    }
  }

  func cancelAll() {
    let calls = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for call in calls { call.continuation.resume(returning: .failure(CancellationError())) }
  }

  private func resume(_ call: Call, with result: Result<Response, any Error>) {
    let isWaiting = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.id == call.id }) else { return false }
      state.waiting.remove(at: index)
      if isStub { state.ended.append("\(state.ended.count) \(call.request) \(result)") }
      return true
    }
    if isWaiting { call.continuation.resume(returning: result) }
  }
}
