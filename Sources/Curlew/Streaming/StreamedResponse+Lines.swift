extension StreamedResponse {
  /// The lines of the body, as they arrive; can be iterated once.
  ///
  /// A line ends with LF, CR or CRLF. The last line needs no line ending. Invalid UTF-8 is replaced
  /// with U+FFFD, and a byte order mark at the start is removed. Iterating throws ``Client/Error``:
  /// ``Client/Error/tooLarge(_:)`` for a line that exceeds ``Limits/lineSize``.
  ///
  /// ```swift
  /// for try await line in try await client.stream(.get("/log")).lines { print(line) }
  /// ```
  public var lines: some AsyncSequence<String, Client.Error> & Sendable {
    IteratorSequence {
      Lines(bytes: ParsedChunks(self, LineSplitter(limit: request.limits.lineSize)))
    }
  }

  /// An iterator over the lines of a body.
  private struct Lines: AsyncIteratorProtocol {
    var bytes: ParsedChunks<LineSplitter>

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> String? {
      try await bytes.next(isolation: actor).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
