extension Fault {
  /// A place in a response; a number is one of the body's bytes.
  public enum Position: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Before the response, interim responses included.
    case nothing
    /// After so many bytes of the final response's head; after all of it, where it is shorter.
    case head(Int)
    /// After so many bytes of the body, without the framing of chunks; 0 is after the head. After
    /// the whole response, where the body is shorter.
    case body(Int)
    /// After the whole response.
    case everything

    /// Creates the place after so many bytes of the body.
    public init(integerLiteral value: Int) {
      self = .body(value)
    }
  }

  /// What can be wrong with a chunk.
  public enum ChunkFault: Sendable, Hashable {
    /// Its size is given as this text: `xyz`, `-1`, or a number that is not its size.
    case size(String)
    /// The line end after its bytes is missing.
    case noLineEnd
    /// The body ends after it, without the chunk of no bytes that says so.
    case noLastChunk
  }

  /// What may go on without end.
  public enum Endless: Sendable, Hashable {
    /// Interim responses: the final one never comes.
    case interim
    /// Fields of the head.
    case headerFields
    /// The body, beyond its own bytes: in chunks where it is chunked, else without a length.
    case body
    /// Fields after a chunked body.
    case trailers
  }
}
