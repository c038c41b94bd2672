extension Client {
  /// A failure to decode a response.
  public struct DecodingFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    let request: String
    /// The name of the endpoint's response type.
    public let type: String
    /// The coding path in the JSON, such as `[3].user.login`; empty at the top level.
    public let codingPath: String
    /// The expected and the actual value.
    public let reason: String
    /// The JSON at the coding path, or for malformed JSON the text around the fault: at most 160 characters.
    public let excerpt: String
    /// The kind of failure.
    let kind: Kind
    /// The number of the line in a response in JSON Lines, from 1; `nil` for any other response.
    public internal(set) var line: Int?

    enum Kind: Sendable, Hashable {
      /// JSON of another type, or a body that a custom decoding rejects.
      case unexpected
      /// A text that is not JSON.
      case malformed
      /// A web page instead of JSON.
      case webPage
    }

    /// Whether the response is a web page instead of JSON, such as a network's sign-in page.
    var isWebPage: Bool { kind == .webPage }
  }
}
