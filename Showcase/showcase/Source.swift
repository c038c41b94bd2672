import Sandbox

/// Where the issues come from.
enum Source: Sendable {
  /// The look-alike within the process.
  case sandbox(Sandbox.Options)
  /// api.github.com.
  case live
  /// A recording: the path of a HAR file.
  case replay(String)

  /// Whether a recording answers.
  var isReplay: Bool {
    if case .replay = self { true } else { false }
  }
}
