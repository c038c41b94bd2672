import Curlew
import Sandbox

/// Where the data comes from.
struct Source: Sendable {
  enum Origin: Sendable {
    /// The look-alikes within the process, at a port: 0 for a free one, `nil` for the usual one, or
    /// a free one where that is taken.
    case sandbox(Sandbox.Options, port: Int?)
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
  /// Whether responses are stored in a file, for the next time.
  var isCached = true
  /// Whether nothing is sent, so that all there is is what is stored.
  var isOffline = false
  /// The file to record to; `nil` for none.
  var record: String?

  /// Whether recordings respond.
  var isReplay: Bool {
    if case .replay = origin { true } else { false }
  }
}
