public import Foundation
import Synchronization

/// The bytes of a response in chunks, as they arrive; the sequence can be iterated only once.
public struct ResponseBody: AsyncSequence, Sendable {
  private enum Source: Sendable {
    case data(Data)
    case chunks(@Sendable () -> () async throws -> Data?)
  }

  private let source: Source
  /// The request whose idle limit applies to this body.
  private var request: OutgoingRequest?
  /// Reports the end to the body's observer, which also receives the chunks; `nil` without an observer.
  private var endReport: EndReport?

  /// The body, if it is complete in memory; otherwise `nil`.
  public var data: Data? {
    guard case .data(let data) = source else { return nil }
    return data
  }

  /// Creates a body from complete data.
  public init(_ data: Data = Data()) {
    source = .data(data)
  }

  /// Creates a body that arrives in chunks.
  ///
  /// The transfer must stop when the body and its iterators are released, even if the body has not been
  /// read.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Data {
    source = .chunks {
      var iterator = chunks.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation) }
    }
  }

  /// Creates a body from a function that starts an iteration, and returns a closure that returns the next
  /// chunk, or `nil` at the end.
  public init(_ makeNext: @escaping @Sendable () -> () async throws -> Data?) {
    source = .chunks(makeNext)
  }

  /// Applies a request's idle limit to this body, and reports its chunks and its end to an observer.
  mutating func expect(_ request: OutgoingRequest, _ attempt: AttemptObservation?) {
    switch source {
    case .data(let data):
      if !data.isEmpty { attempt?.arrived(data.count) }
      attempt?.end(isComplete: true)
    case .chunks:
      self.request = request
      endReport = attempt.map { EndReport($0) }
    }
  }

  /// Returns this body with each chunk awaited in a task of its own, which a time limit of the request cancels.
  func awaitedInTasks(for request: OutgoingRequest) -> ResponseBody {
    guard case .chunks = source else { return self }
    return ResponseBody {
      // Never used concurrently: an iterator is used by one task.
      nonisolated(unsafe) var chunks = makeAsyncIterator()
      return {
        try await request.runInOwnTask { try await chunks.next() }
      }
    }
  }

  /// Returns this body with a function that is called once: when the body has been read or is released, or
  /// with the error if reading fails.
  public func whenDone(_ report: @escaping @Sendable ((any Swift.Error)?) -> Void) -> ResponseBody {
    // Complete data can't fail.
    guard case .chunks = source else {
      report(nil)
      return self
    }
    let ending = Ending(report)
    return ResponseBody {
      var pieces = makeAsyncIterator()
      return {
        do {
          let piece = try await pieces.next()
          if piece == nil { ending.finish() }
          return piece
        } catch {
          ending.finish(with: error)
          throw error
        }
      }
    }
  }

  /// Reports the end of a body, even if it is not read.
  private final class Ending: Sendable {
    private let report: Mutex<(@Sendable ((any Swift.Error)?) -> Void)?>

    init(_ report: @escaping @Sendable ((any Swift.Error)?) -> Void) {
      self.report = Mutex(report)
    }

    deinit { finish() }

    func finish(with error: (any Swift.Error)? = nil) {
      // Called and released outside the lock: both may run code that takes other locks.
      report.withLock { $0.take() }?(error)
    }
  }

  /// Ends the observation of a body that is released before it is read completely.
  fileprivate final class EndReport: Sendable {
    let attempt: AttemptObservation

    init(_ attempt: AttemptObservation) {
      self.attempt = attempt
    }

    deinit { attempt.end(isComplete: false) }
  }

  /// An iterator over the chunks of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pull: () async throws -> Data?
    fileprivate var request: OutgoingRequest?
    fileprivate var endReport: EndReport?

    /// Returns the next chunk, or `nil` at the end.
    ///
    /// - Throws: The transport's error; ``Client/Error/timeout(_:)`` when ``Limits/idle`` passes;
    ///   `CancellationError` when the body ends while the task is cancelled, because it may be truncated.
    public mutating func next() async throws -> Data? {
      guard let request, let deadline = request.transfer else {
        let piece = try await pull()
        // A stream that is truncated because its task was cancelled may end like a complete stream.
        if piece == nil { try Task.checkCancellation() }
        return piece
      }
      deadline.startLimit(.idle)
      do {
        let piece = try await pull()
        if let passed = deadline.end() { throw request.timeout(passed.limit) }
        if piece == nil { try Task.checkCancellation() }
        if let piece {
          endReport?.attempt.arrived(piece.count)
        } else {
          endReport?.attempt.end(isComplete: true)
        }
        return piece
      } catch {
        // A stopped transport may throw any error.
        let failure: any Error =
          deadline.end().map { request.timeout($0.limit, isSending: $0.isSending) } ?? error
        endReport?.attempt.fail(failure)
        throw failure
      }
    }
  }

  /// Returns an iterator over the body's chunks.
  public func makeAsyncIterator() -> AsyncIterator {
    switch source {
    case .chunks(let makeNext):
      return AsyncIterator(pull: makeNext(), request: request, endReport: endReport)
    case .data(let data):
      var rest: Data? = data.isEmpty ? nil : data
      return AsyncIterator {
        defer { rest = nil }
        return rest
      }
    }
  }

  /// An error for a body that exceeds its limit.
  struct TooLong: Swift.Error {
    init() {}
  }

  /// Returns the whole body; stops the transfer when the body exceeds `limit` bytes.
  ///
  /// A middleware that reads a body replaces it with `ResponseBody(data)`.
  ///
  /// - Throws: The errors of ``AsyncIterator/next()``, and an error for a body that is too large;
  ///   ``OutgoingRequest/failure(_:)`` converts them to a ``Client/Error``.
  public func collect(upTo limit: Int) async throws -> Data {
    let (data, isWhole) = try await prefix(limit)
    guard isWhole else { throw TooLong() }
    return data
  }

  /// Returns at most the first `limit` bytes, and whether they are the whole body.
  func prefix(_ limit: Int) async throws -> (Data, isWhole: Bool) {
    if case .data(let data) = source {
      return (data.prefix(limit), data.count <= limit)
    }
    var iterator = makeAsyncIterator()
    guard var result = try await iterator.next() else { return (Data(), true) }
    while result.count <= limit, let chunk = try await iterator.next() {
      result.append(chunk)
    }
    return (result.prefix(limit), result.count <= limit)
  }
}
