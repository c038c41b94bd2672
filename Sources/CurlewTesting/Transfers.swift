import Synchronization

/// Responses that a test gives when it wants to, and a count of the transfers that are wanted.
///
/// A transfer that was superseded waits on for its late response, but counts no more.
package final class Transfers<Question: Sendable, Response: Sendable>: Sendable {
  private struct State {
    var lastID = 0
    var live: [(id: Int, question: Question)] = []
    var most = 0
  }

  private let responses = PendingResponses<Question, Response>()
  private let state = Mutex(State())

  package init() {}

  /// Every question so far.
  package var requested: [Question] { responses.requested }
  /// The questions that wait for a response, even if nobody wants it any more.
  package var waiting: [Question] { responses.waiting }
  /// The questions whose response is wanted.
  package var live: [Question] { state.withLock { $0.live.map(\.question) } }
  /// How many transfers were wanted at once, at most.
  package var most: Int { state.withLock { $0.most } }

  /// Asks a question and waits for its response.
  package func next(for question: Question) async throws -> Response {
    let id = state.withLock { state in
      state.lastID += 1
      state.live.append((state.lastID, question))
      return state.lastID
    }
    defer { end(id) }
    return try await withTaskCancellationHandler {
      // One that is cancelled before it begins is no transfer.
      state.withLock { $0.most = max($0.most, $0.live.count) }
      return try await responses.next(for: question)
    } onCancel: {
      end(id)
    }
  }

  /// Responds to a question that waits; returns it, `nil` for none.
  @discardableResult
  package func reply(_ result: Result<Response, any Error>, to index: Int = 0) -> Question? {
    responses.reply(result, to: index)
  }

  private func end(_ id: Int) {
    state.withLock { $0.live.removeAll { $0.id == id } }
  }
}
