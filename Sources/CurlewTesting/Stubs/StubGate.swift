public import Curlew
import Synchronization

/// A gate that holds requests until a test responds to them, one by one and in any order.
///
/// ```swift
/// let gate = stub.hold(search)
/// async let issues = client.send(search)
/// await gate.waitForRequests(1)
/// gate.respond(with: .json("[]"))
/// ```
public final class StubGate: Sendable {
  private struct PendingRequest {
    let id: Int
    let request: OutgoingRequest
    let continuation: CheckedContinuation<StubResponse, any Error>
  }

  private struct State {
    var pending: [PendingRequest] = []
    var nextID = 0
    /// The responses to the next requests, supplied in advance.
    var responses: [StubResponse] = []
    /// The response to all later requests.
    var last: StubResponse?
  }

  private let state = Mutex(State())
  private let arrivals = Counter()
  private let cancellations = Counter()

  /// Creates a gate.
  public init() {}

  /// The pending requests, the oldest first.
  public var held: [OutgoingRequest] { state.withLock { $0.pending.map(\.request) } }

  /// The number of requests that were cancelled while they were pending.
  public var cancelled: Int { cancellations.count }

  /// Responds to the oldest pending request, or to the next request if none is pending.
  public func respond(with response: StubResponse) {
    respond(with: response) { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Responds to the newest pending request, or to the next request if none is pending.
  public func respondToNewest(with response: StubResponse) {
    respond(with: response) { $0.popLast() }
  }

  private func respond(
    with response: StubResponse, to request: (inout [PendingRequest]) -> PendingRequest?
  ) {
    state.withLock { state in
      let request = request(&state.pending)
      if request == nil { state.responses.append(response) }
      return request
    }?.continuation.resume(returning: response)
  }

  /// Responds to all pending and later requests.
  public func respondToAll(with response: StubResponse) {
    let pending = state.withLock { state in
      state.last = response
      defer { state.pending = [] }
      return state.pending
    }
    for request in pending { request.continuation.resume(returning: response) }
  }

  /// Waits until this many requests have arrived since the gate was created.
  public func waitForRequests(_ count: Int) async {
    await arrivals.wait(for: count)
  }

  /// Waits until this many requests were cancelled while they were pending.
  public func waitForCancellations(_ count: Int) async {
    await cancellations.wait(for: count)
  }

  /// Waits for the test's response to a request.
  func hold(_ request: OutgoingRequest) async throws -> StubResponse {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<StubResponse, any Error>? in
          // A cancellation before this point found no request to remove.
          if Task.isCancelled { return .failure(CancellationError()) }
          if !state.responses.isEmpty { return .success(state.responses.removeFirst()) }
          if let last = state.last { return .success(last) }
          state.pending.append(PendingRequest(id: id, request: request, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
        arrivals.increment()
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) {
    let pending = state.withLock { state in
      state.pending.firstIndex { $0.id == id }.map { state.pending.remove(at: $0) }
    }
    guard let pending else { return }
    // Before resuming the caller, which may read the count immediately.
    cancellations.increment()
    pending.continuation.resume(throwing: CancellationError())
  }
}
