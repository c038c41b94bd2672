extension Fault {
  /// A position in a response; an integer literal counts bytes of the body.
  public enum Position: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Before the response and its interim responses.
    case nothing
    /// After this many bytes of the final response's head, or after the whole head if it is
    /// shorter.
    case head(Int)
    /// After this many bytes of the body, not counting the framing of chunks; 0 is right after the
    /// head. After the whole response if the body is shorter.
    case body(Int)
    /// After the whole response.
    case everything

    /// Creates the position after this many bytes of the body.
    public init(integerLiteral value: Int) {
      self = .body(value)
    }
  }

  /// A fault in a chunk.
  public enum ChunkFault: Sendable, Hashable {
    /// The chunk's size is this text: `xyz`, `-1`, or a number that is not its size.
    case size(String)
    /// The line end after the chunk's bytes is missing.
    case noLineEnd
    /// The body ends after the chunk, without the last chunk of size 0.
    case noLastChunk
  }

  /// A part of a response that never ends.
  public enum Endless: Sendable, Hashable {
    /// Interim responses; the final response never comes.
    case interim
    /// Header fields.
    case headerFields
    /// The body, after its own bytes: in chunks if it is chunked, otherwise without a length.
    case body
    /// Trailer fields after a chunked body.
    case trailers
  }
}
