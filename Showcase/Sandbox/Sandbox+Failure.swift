extension Sandbox {
  /// Says why a port can't be listened on, for instance because another process has it.
  public struct Failure: Error, CustomStringConvertible {
    /// One line for a user.
    public let description: String

    init(_ port: Int, _ reason: String) {
      description = "the sandbox can't listen on 127.0.0.1:\(port): \(reason)"
    }
  }
}
