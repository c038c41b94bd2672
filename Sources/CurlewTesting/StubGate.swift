public import Curlew
import Synchronization

/// Holds requests until a test responds to them, one by one and in the order that it likes.
///
/// ```swift
/// let gate = stub.hold(search)
/// async let issues = client.send(search)
/// await gate.waitForRequests(1)
/// gate.respond(with: .json("[]"))
/// ```
public final class StubGate: Sendable {
  private struct Held {
    let id: Int
    let request: OutgoingRequest
    let continuation: CheckedContinuation<StubResponse, any Error>
  }

  private struct State {
    var held: [Held] = []
    var nextID = 0
    /// Responses that were given before their request came.
    var responses: [StubResponse] = []
    /// The response to all that are still to come.
    var last: StubResponse?
  }

  private let state = Mutex(State())
  private let arrivals = Counter()
  private let cancellations = Counter()

  /// Creates a gate that holds nothing yet.
  public init() {}

  /// The requests that are held now, the oldest first.
  public var held: [OutgoingRequest] { state.withLock { $0.held.map(\.request) } }

  /// How many requests were cancelled while they were held.
  public var cancelled: Int { cancellations.count }

  /// Responds to the oldest request that is held; the next one to come when there is none.
  public func respond(with response: StubResponse) {
    state.withLock { state -> Held? in
      guard !state.held.isEmpty else {
        state.responses.append(response)
        return nil
      }
      return state.held.removeFirst()
    }?.continuation.resume(returning: response)
  }

  /// Responds to the newest request that is held; the next one to come when there is none.
  public func respondToNewest(with response: StubResponse) {
    state.withLock { state -> Held? in
      guard let newest = state.held.popLast() else {
        state.responses.append(response)
        return nil
      }
      return newest
    }?.continuation.resume(returning: response)
  }

  /// Responds to all requests that are held, and all that are still to come.
  public func respondToAll(with response: StubResponse) {
    let held = state.withLock { state in
      state.last = response
      defer { state.held = [] }
      return state.held
    }
    for one in held { one.continuation.resume(returning: response) }
  }

  /// Waits until this many requests have come since the gate was made.
  public func waitForRequests(_ count: Int) async {
    await arrivals.wait(for: count)
  }

  /// Waits until this many requests were cancelled while they were held.
  public func waitForCancellations(_ count: Int) async {
    await cancellations.wait(for: count)
  }

  /// Waits for the response to a request.
  func hold(_ request: OutgoingRequest) async throws -> StubResponse {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<StubResponse, any Error>? in
          // A cancellation from before this moment found nothing to take out.
          if Task.isCancelled { return .failure(CancellationError()) }
          if !state.responses.isEmpty { return .success(state.responses.removeFirst()) }
          if let last = state.last { return .success(last) }
          state.held.append(Held(id: id, request: request, continuation: continuation))
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
    let held = state.withLock { state in
      state.held.firstIndex { $0.id == id }.map { state.held.remove(at: $0) }
    }
    guard let held else { return }
    // Before the caller goes on, who may look at the count at once.
    cancellations.increment()
    held.continuation.resume(throwing: CancellationError())
  }
}
