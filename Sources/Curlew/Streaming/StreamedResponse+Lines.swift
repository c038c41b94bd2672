extension StreamedResponse {
  /// The lines of the body, as they arrive; can be iterated once.
  ///
  /// A line ends with LF, CR or CRLF. The last one needs no end. Invalid UTF-8 is replaced with
  /// U+FFFD, and a byte order mark at the start is removed.
  ///
  /// ```swift
  /// for try await line in try await client.stream(.get("/log")).lines { print(line) }
  /// ```
  public var lines: Lines { Lines(response: self) }

  /// The lines of a body, as they arrive.
  public struct Lines: AsyncSequence, Sendable {
    /// A line, without its end.
    public typealias Element = String
    /// The error that ends the lines before the end of the body.
    public typealias Failure = Client.Error

    fileprivate let response: StreamedResponse

    /// An iterator over the lines of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var reader: LineReader

      /// Returns the next line; `nil` at the end.
      ///
      /// - Throws: ``Client/Error``: ``Client/Error/tooLarge(_:)`` for a line that exceeds
      ///   ``Limits/lineSize``.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Client.Error) -> String? {
        try await reader.next(isolation: actor).map { String(decoding: $0, as: UTF8.self) }
      }

      /// Returns the next line; `nil` at the end.
      ///
      /// - Throws: ``Client/Error``.
      public mutating func next() async throws(Client.Error) -> String? {
        try await next(isolation: nil)
      }
    }

    /// Returns an iterator over the lines.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(reader: LineReader(response))
    }
  }

  /// Reads the lines of a body as bytes.
  struct LineReader {
    /// `nil` after the end, so that the transfer ends, too.
    private var chunks: StreamedResponse.AsyncIterator?
    private var splitter: LineSplitter
    private let request: OutgoingRequest

    /// - Parameter endsAtCarriageReturn: Whether CR alone ends a line.
    init(_ response: StreamedResponse, endsAtCarriageReturn: Bool = true) {
      chunks = response.makeAsyncIterator()
      request = response.request
      splitter = LineSplitter(
        limit: request.limits.lineSize, endsAtCarriageReturn: endsAtCarriageReturn)
    }

    /// Returns the next line; `nil` at the end.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Client.Error) -> [UInt8]? {
      guard chunks != nil else { return nil }
      do throws(Client.Error) {
        while true {
          if let line = try nextOfChunk() { return line }
          guard let chunk = try await chunks?.next(isolation: actor) else { break }
          splitter.append(chunk)
        }
      } catch {
        chunks = nil
        throw error
      }
      chunks = nil
      return splitter.finish()
    }

    private mutating func nextOfChunk() throws(Client.Error) -> [UInt8]? {
      do {
        return try splitter.next()
      } catch {
        throw request.tooLarge(.lineSize, request.limits.lineSize)
      }
    }
  }
}
