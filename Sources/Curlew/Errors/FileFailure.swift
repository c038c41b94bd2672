extension Client {
  /// A failure to read the file of an upload, or to write the file of a download.
  public struct FileFailure: Sendable, Hashable {
    /// The kinds of failures.
    @nonexhaustive public enum Kind: Sendable, Hashable, CaseIterable {
      /// The file or its folder does not exist.
      case notFound
      /// There is no permission to read the file, or to write to its folder.
      case notPermitted
      /// The file already exists.
      case exists
      /// The disk or the user's quota is full.
      case noSpace
      /// Another download writes to this file.
      case inUse
      /// The file changed during the upload.
      case changed
      /// Another failure.
      case other
    }

    /// The request's method and URL, without secrets.
    let request: String
    /// The kind of failure.
    public let kind: Kind
    /// The path of the file.
    public let path: String
    /// The system's description of the failure.
    public let reason: String
  }
}
