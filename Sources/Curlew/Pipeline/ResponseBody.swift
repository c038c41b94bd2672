public import Foundation
import Synchronization

/// The bytes of a response as they arrive, in chunks; can be iterated once.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A piece of the body.
  public typealias Element = Data

  private enum Source: Sendable {
    case data(Data)
    case chunks(@Sendable () -> () async throws -> Data?)
  }

  private let source: Source
  /// The request whose limit for the pause between two pieces holds here.
  private var request: OutgoingRequest?
  /// Whether the transport stops a transfer whose time limit passes; else each piece is awaited in a
  /// task of its own, which can be cancelled.
  private var isStoppable = true

  /// Creates a body that is there already.
  public init(_ data: Data = Data()) {
    source = .data(data)
  }

  /// Creates a body that arrives piece by piece.
  ///
  /// The transfer must stop when the body and its iterators are released, also if nobody has read it.
  public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Data {
    source = .chunks {
      var iterator = chunks.makeAsyncIterator()
      return { try await iterator.next(isolation: #isolation) }
    }
  }

  /// Creates a body from a function that begins an iteration: the closure that it returns gives the next
  /// piece, `nil` at the end.
  public init(_ makeNext: @escaping @Sendable () -> () async throws -> Data?) {
    source = .chunks(makeNext)
  }

  /// Makes a request's limit for the pause between two pieces hold.
  mutating func expect(_ request: OutgoingRequest, isStoppable: Bool) {
    guard case .chunks = source else { return }
    self.request = request
    self.isStoppable = isStoppable
  }

  /// Returns this body with something that is kept until it is read to its end, or dropped.
  func holding(_ companion: some AnyObject & Sendable) -> ResponseBody {
    whenDone { [companion] _ in _ = companion }
  }

  /// Returns this body with a function that is called once: when it was read to its end or is dropped,
  /// and with the error when it breaks off.
  func whenDone(_ report: @escaping @Sendable ((any Swift.Error)?) -> Void) -> ResponseBody {
    // What is there already can't break off.
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
          if piece == nil { ending.came() }
          return piece
        } catch {
          ending.came(with: error)
          throw error
        }
      }
    }
  }

  /// Tells of a body's end, also where nobody reads it.
  private final class Ending: Sendable {
    private let report: Mutex<(@Sendable ((any Swift.Error)?) -> Void)?>

    init(_ report: @escaping @Sendable ((any Swift.Error)?) -> Void) {
      self.report = Mutex(report)
    }

    deinit { came() }

    func came(with error: (any Swift.Error)? = nil) {
      // Outside of the lock: what is done then, and what goes with it, is its own matter.
      report.withLock { $0.take() }?(error)
    }
  }

  /// Iterates over the pieces of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let pull: () async throws -> Data?
    fileprivate var request: OutgoingRequest?
    fileprivate var isStoppable = true

    /// Returns the next piece, or `nil` at the end.
    ///
    /// - Throws: What the transport throws; ``Client/Error/timeout(_:)`` when ``Limits/idle`` passes;
    ///   `CancellationError` when the body ends while the task is cancelled, because it may be cut off.
    public mutating func next() async throws -> Data? {
      let piece: Data?
      if let request, let deadline = request.transfer {
        deadline.awaits(.idle)
        do {
          piece = try await isStoppable ? pull() : pullInOwnTask(deadline)
        } catch {
          // Whatever a transport throws when it is stopped.
          if let passed = deadline.end() { throw request.timeout(passed) }
          throw error
        }
        if let passed = deadline.end() { throw request.timeout(passed) }
      } else {
        piece = try await pull()
      }
      // A stream that is cut off because its task is cancelled may end as if it were whole.
      if piece == nil { try Task.checkCancellation() }
      return piece
    }

    private func pullInOwnTask(_ deadline: TransferDeadline) async throws -> Data? {
      // Never called twice at the same time: an iterator has one user.
      nonisolated(unsafe) let pull = pull
      return try await deadline.runStoppably { try await pull() }
    }
  }

  /// Begins to read the body.
  public func makeAsyncIterator() -> AsyncIterator {
    switch source {
    case .chunks(let makeNext):
      return AsyncIterator(pull: makeNext(), request: request, isStoppable: isStoppable)
    case .data(let data):
      var rest: Data? = data.isEmpty ? nil : data
      return AsyncIterator {
        defer { rest = nil }
        return rest
      }
    }
  }

  /// Says that a body is longer than was allowed.
  package struct TooLong: Swift.Error {
    package init() {}
  }

  /// Returns the whole body; stops the transfer as soon as it exceeds `limit` bytes.
  ///
  /// A middleware that reads a body puts `ResponseBody(data)` in its place.
  ///
  /// - Throws: As ``AsyncIterator/next()``; ``OutgoingRequest/failure(_:)`` makes a ``Client/Error`` of it.
  public func collect(upTo limit: Int) async throws -> Data {
    let (data, isWhole) = try await prefix(limit)
    guard isWhole else { throw TooLong() }
    return data
  }

  /// Returns at most the first `limit` bytes, and whether that is all there is.
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
