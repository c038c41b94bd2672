extension StreamedResponse {
  /// The lines of the body, as they arrive; can be iterated once.
  ///
  /// A line ends with LF, CR or CRLF. The last one needs no end. Invalid UTF-8 is replaced with
  /// U+FFFD, and a byte order mark at the start is removed.
  /// Iterating throws ``Client/Error``: ``Client/Error/tooLarge(_:)`` for a line that exceeds
  /// ``Limits/lineSize``.
  ///
  /// ```swift
  /// for try await line in try await client.stream(.get("/log")).lines { print(line) }
  /// ```
  public var lines: some AsyncSequence<String, Client.Error> & Sendable {
    IteratorSequence { Lines(reader: LineReader(self)) }
  }

  /// An iterator over the lines of a body.
  private struct Lines: AsyncIteratorProtocol {
    var reader: LineReader

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> String? {
      try await reader.next(isolation: actor).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Reads the lines of a body as bytes.
  struct LineReader {
    /// `nil` after the end, so that the transfer ends, too.
    private var chunks: StreamedResponse.Iterator?
    private var splitter: LineSplitter
    private let request: OutgoingRequest

    /// - Parameter endsAtCarriageReturn: Whether CR alone ends a line.
    init(_ response: StreamedResponse, endsAtCarriageReturn: Bool = true) {
      chunks = response.iterator()
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
