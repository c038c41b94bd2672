extension Client {
  /// A failure because a redirect could not or must not be followed.
  public struct RedirectFailure: Sendable, Hashable {
    /// The reasons why a redirect is not followed.
    @nonexhaustive public enum Reason: Sendable, Hashable {
      /// There were more redirects than ``Limits/redirects`` allows.
      case tooMany(limit: Int)
      /// The redirect leads from https to http.
      case insecure
      /// The redirect's `Location` is not an http or https URL.
      case malformedLocation
      /// The response has several `Location` fields with different values.
      case severalLocations
    }

    /// The request's method and URL, without secrets.
    let request: String
    /// The redirect's target, without secrets.
    public let location: String
    /// The reason why the redirect was not followed.
    public let reason: Reason
  }
}
