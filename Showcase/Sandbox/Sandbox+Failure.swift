extension Sandbox {
  /// What keeps a sandbox from starting or from taking new options.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    /// An option makes no sense; the text names it and its value.
    case invalidOption(String)
    /// The address can't be listened on, for instance because another process has the port.
    case cannotListen(host: String, port: Int, reason: String)

    /// One line for a user.
    public var description: String {
      switch self {
      case .invalidOption(let text): "the sandbox can't do this: \(text)"
      case .cannotListen(let host, let port, let reason):
        "the sandbox can't listen on \(host):\(port): \(reason)"
      }
    }
  }
}
