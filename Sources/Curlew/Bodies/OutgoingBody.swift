public import Foundation
import Synchronization

/// The bytes of a request's body: complete in memory, or in chunks that are read during the upload.
///
/// A transport reads the next chunk when it has sent the previous chunk (back-pressure).
public struct OutgoingBody: AsyncSequence, Sendable {
  private enum Source: Sendable {
    case data(Data)
    case chunks(@Sendable () throws -> () async throws -> Data?)
  }

  private let source: Source
  /// The number of bytes; `nil` if it is unknown before sending.
  public let length: Int64?
  /// Whether the body can be read again from its start, for a retry, a redirect or a new token.
  public let isRepeatable: Bool
  /// The file that the body is read from; `nil` for other bodies.
  private(set) var file: URL?
  /// A function that starts to observe one upload of the body.
  ///
  /// The closure that it returns is called with the number of bytes sent since the last call, and whether the
  /// body is complete.
  var observer: (@Sendable () -> (Int, Bool) -> Void)?
  /// The `Content-Type` if it depends on the content, as with a form's boundary; otherwise `nil`.
  var contentType: String?

  /// Whether the body's upload progress is observed.
  public var isObserved: Bool { observer != nil }

  /// The body, if it is complete in memory; otherwise `nil`.
  public var data: Data? {
    guard case .data(let data) = source else { return nil }
    return data
  }

  /// Creates a body from complete data.
  public init(_ data: Data) {
    source = .data(data)
    length = Int64(data.count)
    isRepeatable = true
  }

  /// Creates a body that is read in chunks.
  ///
  /// - Parameters:
  ///   - length: The number of bytes; `nil` if it is unknown. If the body has a different number of bytes,
  ///     the request fails.
  ///   - isRepeatable: Whether `makeNext` may be called more than once.
  ///   - makeNext: Starts an iteration, and returns a closure that returns the next chunk, or `nil` at the
  ///     end.
  public init(
    length: Int64? = nil, isRepeatable: Bool = true,
    _ makeNext: @escaping @Sendable () throws -> () async throws -> Data?
  ) {
    self.length = length
    self.isRepeatable = isRepeatable
    guard !isRepeatable else {
      source = .chunks(makeNext)
      return
    }
    let once = Once()
    source = .chunks {
      guard once.take() else {
        throw Invalid(
          reason: "its body would have to be sent again, but can be read only once: use a file, "
            + "or a sequence that can be created again")
      }
      return try makeNext()
    }
  }

  /// Creates a body that is read from a file.
  ///
  /// - Throws: ``FileSystemError`` if the file can't be read.
  init(file: URL) throws {
    let size = try FileChunks.size(of: file)
    self.init(length: size) {
      var chunks = try FileChunks(file, size: size)
      return { try chunks.next() }
    }
    self.file = file
  }

  private final class Once: Sendable {
    private let isTaken = Atomic<Bool>(false)

    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
  }

  /// An error for an invalid body, such as a body of the wrong length.
  struct Invalid: Error {
    let reason: String
  }

  /// An error for a body whose source failed.
  struct SourceFailure: Error {
    let error: any Error

    /// Returns the error that an iteration throws for an error of its source.
    static func of(_ error: any Error) -> any Error {
      switch error {
      case is FileSystemError, is Invalid, is CancellationError: error
      default: Task.isCancelled ? error : SourceFailure(error: error)
      }
    }
  }

  /// An iterator over the chunks of a body.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let body: OutgoingBody
    /// `nil` before the first chunk.
    private var makeChunk: (() async throws -> Data?)?
    private var isAtEnd = false
    private var count: Int64 = 0
    private let report: ((Int, Bool) -> Void)?
    /// The size of the last chunk; the chunk has been sent when the transport requests the next chunk.
    private var unreported = 0

    fileprivate init(_ body: OutgoingBody) {
      self.body = body
      report = body.observer?()
    }

    /// Returns the next chunk, which is never empty; `nil` at the end.
    public mutating func next() async throws -> Data? {
      if unreported > 0 { report?(unreported, false) }
      let chunk = try await pull()
      unreported = chunk?.count ?? 0
      if chunk == nil { report?(0, true) }
      return chunk
    }

    private mutating func pull() async throws -> Data? {
      while !isAtEnd {
        let chunk: Data?
        do {
          let next = try makeChunk ?? body.chunks(isObserved: report != nil)
          makeChunk = next
          chunk = try await next()
        } catch {
          throw SourceFailure.of(error)
        }
        count += Int64(chunk?.count ?? 0)
        if let length = body.length, count > length || chunk == nil && count < length {
          throw Invalid(
            reason:
              "its body is \(count > length ? "longer" : "shorter") than its declared length, "
              + "\(length) bytes")
        }
        isAtEnd = chunk == nil
        guard let chunk, chunk.isEmpty else { return chunk }
        // A source that returns only empty chunks may never suspend. It would not notice cancellation and
        // would block other tasks: on a single core, all tasks share one thread.
        try Task.checkCancellation()
        await Task.yield()
      }
      return nil
    }
  }

  private func chunks(isObserved: Bool) throws -> () async throws -> Data? {
    switch source {
    case .chunks(let makeNext): return try makeNext()
    case .data(let data):
      var rest = data
      return {
        // In pieces, so that progress can be reported.
        let piece = isObserved ? Data(rest.prefix(FileChunks.chunkSize)) : rest
        rest = rest.dropFirst(piece.count)
        return piece.isEmpty ? nil : piece
      }
    }
  }

  /// Returns an iterator over the body's chunks.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Returns the whole body.
  ///
  /// - Throws: The error of its source.
  public func collect() async throws -> Data {
    if let data, !isObserved { return data }
    var whole = Data()
    for try await chunk in self { whole += chunk }
    return whole
  }
}
