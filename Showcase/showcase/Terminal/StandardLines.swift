import Dispatch

/// The lines of standard input as they come.
struct StandardLines: AsyncSequence, AsyncIteratorProtocol {
  typealias Element = String
  typealias Failure = any Error

  /// Returns the next line without its end; `nil` at the end of the input.
  func next() async throws -> String? {
    // Reading blocks: not a thread that tasks share.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: readLine()) }
    }
  }

  func makeAsyncIterator() -> Self { self }
}
