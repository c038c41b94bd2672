import Curlew
import Sandbox

/// Where the data comes from.
struct Source: Sendable {
  enum Origin: Sendable {
    /// The look-alikes within the process.
    case sandbox(Sandbox.Options)
    /// api.github.com, itunes.apple.com and api.themoviedb.org.
    case live
    /// Recordings: the paths of HAR files.
    case replay([String])
  }

  let origin: Origin
  /// The key for TMDB that was given as an option.
  var tmdbKey: Sensitive?
  /// Where details for developers go.
  var log = Log.silent
  /// What is told what happens to each request.
  var observers: [any RequestObserver] = []
  /// Where the time of each decoding goes; `nil` if it is not measured.
  var decodingLog: Log?
  /// The file to record to; `nil` for none.
  var record: String?

  /// Whether recordings respond.
  var isReplay: Bool {
    if case .replay = origin { true } else { false }
  }
}
