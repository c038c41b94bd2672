extension Sandbox {
  /// An error thrown if listening on a port fails, for example because another process uses it.
  public struct Failure: Error, CustomStringConvertible {
    /// A message of one line for users.
    public let description: String

    init(_ port: Int, _ reason: String) {
      description = "the sandbox can't listen on 127.0.0.1:\(port): \(reason)"
    }
  }
}
