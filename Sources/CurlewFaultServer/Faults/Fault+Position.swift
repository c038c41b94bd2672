extension Fault {
  /// A position in a response; an integer literal counts bytes of the body.
  public enum Position: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Before the response and its interim responses.
    case nothing
    /// After this many bytes of the final response's head, or after the whole head if it is
    /// shorter.
    case head(Int)
    /// After this many bytes of the body, not counting chunked framing; 0 is right after the head. After the whole
    /// response if the body is shorter.
    case body(Int)
    /// After the whole response.
    case everything

    /// Creates the position after this many bytes of the body.
    public init(integerLiteral value: Int) {
      self = .body(value)
    }
  }
}
