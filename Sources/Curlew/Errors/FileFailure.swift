extension Client {
  /// A failure to read the file of an upload, or to write that of a download.
  public struct FileFailure: Sendable, Hashable {
    /// The kinds of failures.
    @nonexhaustive public enum Kind: Sendable, Hashable, CaseIterable {
      /// There is no such file, or no such folder.
      case notFound
      /// The file must not be read, or its folder must not be written to.
      case notPermitted
      /// There is a file already.
      case exists
      /// The disk is full, or the user's share of it.
      case noSpace
      /// Another download writes to this file.
      case inUse
      /// The file changed while it was sent.
      case changed
      /// Another failure.
      case other
    }

    /// The request's method and URL, without secrets.
    package let request: String
    /// The kind of failure.
    public let kind: Kind
    /// The path of the file.
    public let path: String
    /// The system's description of the failure.
    public let reason: String
  }
}
