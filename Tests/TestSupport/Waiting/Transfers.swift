// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CurlewTesting
import Synchronization
public import Testing

/// Pending responses that also track which transfers are active.
///
/// A cancelled transfer keeps waiting for its late response, but is not active any more.
public final class Transfers<Request: Sendable, Response: Sendable>: Sendable {
  private struct State {
    var lastID = 0
    var live: [(id: Int, request: Request)] = []
    var most = 0
  }

  private let responses = PendingResponses<Request, Response>()
  private let state = Mutex(State())

  public init() {}

  /// The requests so far, in order.
  public var requested: [Request] { responses.requested }
  /// The pending requests, including cancelled requests.
  public var waiting: [Request] { responses.waiting }
  /// The requests of the active transfers.
  public var live: [Request] { state.withLock { $0.live.map(\.request) } }
  /// The largest number of transfers that were active at once.
  public var most: Int { state.withLock { $0.most } }

  /// Waits until the test replies to a request.
  public func next(for request: Request) async throws -> Response {
    let id = state.withLock { state in
      state.lastID += 1
      state.live.append((state.lastID, request))
      return state.lastID
    }
    defer { end(id) }
    return try await withTaskCancellationHandler {
      // Counted here: a task that was cancelled before has ended its transfer by now.
      state.withLock { $0.most = max($0.most, $0.live.count) }
      return try await responses.next(for: request)
    } onCancel: {
      end(id)
    }
  }

  /// Replies to the pending request at an index; the test fails if there is none.
  public func reply(
    _ result: Result<Response, any Error>, to index: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    responses.reply(result, to: index, sourceLocation: sourceLocation)
  }

  private func end(_ id: Int) {
    state.withLock { $0.live.removeAll { $0.id == id } }
  }
}
