extension Client {
  /// A failure to decode a response.
  public struct DecodingFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    package let request: String
    /// The name of the endpoint's response type.
    public let type: String
    /// The coding path in the JSON, such as `[3].user.login`; empty at the top level.
    public let codingPath: String
    /// What was expected and what was found.
    public let reason: String
    /// The JSON at the coding path, or the text around the fault where it is not JSON: at most 160 characters.
    public let excerpt: String
    /// In what way the response is not what was expected.
    let kind: Kind
    /// The number of the line in a response in JSON Lines, from 1; `nil` for any other response.
    public internal(set) var line: Int?

    enum Kind: Sendable, Hashable {
      /// JSON of another type, or what a decoding of one's own rejects.
      case unexpected
      /// A text that is not JSON.
      case malformed
      /// A web page instead of JSON.
      case webPage
    }

    /// Whether a web page came instead of JSON, as from a network that wants its user to sign in.
    package var isWebPage: Bool { kind == .webPage }
  }
}
