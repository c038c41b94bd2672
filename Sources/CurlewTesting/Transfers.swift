import Synchronization

/// Answers that a test gives when it wants to, and a count of the transfers that are wanted.
///
/// A transfer that was superseded waits on for its late answer, but counts no more.
package final class Transfers<Question: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    var lastID = 0
    var live: [(id: Int, question: Question)] = []
    var most = 0
  }

  private let answers = Answers<Question, Answer>()
  private let state = Mutex(State())

  package init() {}

  /// Every question so far.
  package var asked: [Question] { answers.asked }
  /// The questions that wait for an answer, even if nobody wants it any more.
  package var waiting: [Question] { answers.waiting }
  /// The questions whose answer is wanted.
  package var live: [Question] { state.withLock { $0.live.map(\.question) } }
  /// How many transfers were wanted at once, at most.
  package var most: Int { state.withLock { $0.most } }

  /// Asks a question and waits for its answer.
  package func next(for question: Question) async throws -> Answer {
    let id = state.withLock { state in
      state.lastID += 1
      state.live.append((state.lastID, question))
      return state.lastID
    }
    defer { end(id) }
    return try await withTaskCancellationHandler {
      // One that is cancelled before it begins is no transfer.
      state.withLock { $0.most = max($0.most, $0.live.count) }
      return try await answers.next(for: question)
    } onCancel: {
      end(id)
    }
  }

  /// Answers a question that waits; returns it, `nil` for none.
  @discardableResult
  package func reply(_ result: Result<Answer, any Error>, to index: Int = 0) -> Question? {
    answers.reply(result, to: index)
  }

  private func end(_ id: Int) {
    state.withLock { $0.live.removeAll { $0.id == id } }
  }
}
