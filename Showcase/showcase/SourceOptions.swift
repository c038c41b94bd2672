import ArgumentParser
import Curlew
import CurlewRecording
import Sandbox

/// The options that select the data source; the sandbox by default.
struct SourceOptions: ParsableArguments {
  static let title = "Source of the data (default: the sandbox, local mock servers)"

  @Flag(help: "Use the real servers, with GITHUB_TOKEN and TMDB_API_KEY if they are set.")
  var live = false

  @Option(
    help: ArgumentHelp(
      "Replay a recording (HAR 1.2) instead of using a server; may be repeated.",
      discussion:
        "For a request that is not recorded, the most similar recorded request with its method and "
        + "path is used; a note is printed once.",
      valueName: "file"),
    completion: .file(extensions: ["har"]))
  var replay: [String] = []

  @Option(
    help: ArgumentHelp(
      "Record the requests and their responses to a file (HAR 1.2), without secrets.",
      discussion:
        "An existing file is replaced. It is complete when the command ends, also by Control-C. "
        + "--replay reads it.", valueName: "file"),
    completion: .file(extensions: ["har"]))
  var record: String?

  @Flag(
    help: ArgumentHelp(
      "Open no connection: show cached responses only.",
      discussion: "Without --live, they are the cached responses of the sandbox."))
  var offline = false

  @Flag(
    help: ArgumentHelp(
      "Neither use nor store responses in the cache.",
      discussion:
        "The cache is a file in the user's cache folder; 'showcase cache' shows it. The options that "
        + "change the sandbox's behavior, such as --latency, turn the cache off, too, so that their "
        + "effect is visible."))
  var noCache = false

  @OptionGroup
  var verbosity: Verbosity

  @Option(
    help: ArgumentHelp(
      "The API key for TMDB; the variable TMDB_API_KEY hides it from the process list.",
      valueName: "key"))
  var tmdbKey: String?

  @Option(
    help: ArgumentHelp(
      "The port of the sandbox; 0 chooses a free port.",
      discussion:
        "By default it is \(Sandbox.usualPort), so that cached responses are found after a restart, or "
        + "a free port if that is in use.", valueName: "port"))
  var sandboxPort: Int?

  @Option(
    help: ArgumentHelp(
      "Milliseconds that the sandbox waits before each response.", valueName: "ms"))
  var latency: Int?

  @Option(help: ArgumentHelp("Share of the sandbox's requests that fail.", valueName: "0...1"))
  var failureRate: Double?

  @Option(help: ArgumentHelp("Requests per hour that the sandbox accepts.", valueName: "n"))
  var rateLimit: Int?

  @Option(help: ArgumentHelp("Searches per minute that the sandbox accepts.", valueName: "n"))
  var searchRateLimit: Int?

  @Option(help: ArgumentHelp("Seconds until the sandbox's rate limit resets.", valueName: "s"))
  var rateWindow: Int?

  @Flag(help: "Sandbox searches return partial results.")
  var incomplete = false

  @Option(
    help: ArgumentHelp("Entries of each iTunes list that the sandbox damages.", valueName: "n"))
  var damagedEntries: Int?

  func validate() throws {
    if live, isReplay {
      throw ValidationError("--live and --replay can't be combined.")
    }
    if let other = live ? "--live" : isReplay ? "--replay" : nil, let name = sandboxOption {
      throw ValidationError(
        "\(name) is an option of the sandbox: it can't be combined with \(other).")
    }
    if record != nil, isReplay {
      throw ValidationError("--record and --replay can't be combined.")
    }
    if offline, noCache {
      throw ValidationError(
        "--offline shows cached responses: it can't be combined with --no-cache.")
    }
    if offline, let other = isReplay ? "--replay" : misbehaviour {
      throw ValidationError("--offline sends nothing: it can't be combined with \(other).")
    }
    if record == "" { throw ValidationError("--record needs a file name.") }
    if replay.contains("") { throw ValidationError("--replay needs a file name.") }
    if tmdbKey != nil, Sensitive(tmdbKey: tmdbKey) == nil {
      throw ValidationError("--tmdb-key must be a key of visible ASCII characters.")
    }
    try check("--sandbox-port", sandboxPort, 0...65_535, "between 0 and 65535")
    try check("--latency", latency, 0...86_400_000, "between 0 and 86400000 ms (a day)")
    try check("--failure-rate", failureRate, 0...1, "between 0 and 1")
    try check("--rate-window", rateWindow, 1...86_400, "between 1 and 86400 s (a day)")
    try check("--rate-limit", rateLimit, 0...Int.max, "0 or more")
    try check("--search-rate-limit", searchRateLimit, 0...Int.max, "0 or more")
    try check("--damaged-entries", damagedEntries, 0...Int.max, "0 or more")
  }

  private func check<Value: Comparable>(
    _ name: String, _ value: Value?, _ range: ClosedRange<Value>, _ text: String
  ) throws {
    if let value, !range.contains(value) {
      throw ValidationError("\(name) must be \(text), not \(value).")
    }
  }

  /// Whether the data comes from recordings.
  var isReplay: Bool { !replay.isEmpty }

  /// Whether responses are stored in a persistent cache.
  var isCached: Bool { !noCache && !isReplay && misbehaviour == nil }

  /// The options of the sandbox.
  var sandbox: Sandbox.Options {
    var options = Sandbox.Options()
    if let latency { options.latency = .milliseconds(latency) }
    if let failureRate { options.failureRate = failureRate }
    // A random seed makes different requests fail in each run.
    options.seed = .random(in: 0 ... .max)
    if let rateLimit { options.rateLimit = rateLimit }
    if let searchRateLimit { options.searchRateLimit = searchRateLimit }
    if let rateWindow { options.rateWindow = .seconds(rateWindow) }
    options.incompleteResults = incomplete
    if let damagedEntries { options.damagedEntries = damagedEntries }
    return options
  }

  /// Whether the sandbox of a running server serves as well as one of the command's own.
  var allowsRunningSandbox: Bool { !live && !isReplay && !offline && sandboxOption == nil }

  /// The first given option for the sandbox.
  private var sandboxOption: String? { sandboxPort == nil ? misbehaviour : "--sandbox-port" }

  /// The first given option for the sandbox's behavior.
  private var misbehaviour: String? {
    let given = [
      ("--latency", latency != nil), ("--failure-rate", failureRate != nil),
      ("--rate-limit", rateLimit != nil), ("--search-rate-limit", searchRateLimit != nil),
      ("--rate-window", rateWindow != nil), ("--incomplete", incomplete),
      ("--damaged-entries", damagedEntries != nil),
    ]
    return given.first(where: \.1)?.0
  }
}

/// The option to record what the screens do.
struct TraceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record the events of the screens, and the values that they load, to a file.",
      discussion:
        "It is complete when the command ends, also by Control-C. Trace(file).swiftTest() of CurlewTesting "
        + "prints tests that repeat it. Secrets are left out, but not the texts that users type.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var recordTrace: String?

  func validate() throws {
    if recordTrace == "" { throw ValidationError("--record-trace needs a file name.") }
  }
}

extension Sensitive {
  /// Creates a key for TMDB; returns `nil` if the text is empty or contains invalid characters.
  init?(tmdbKey text: String?) {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}

/// Whether details for developers are printed.
struct Verbosity: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Print details for developers on standard error.",
      discussion:
        "The details are the events of each request to an API, with the call's number and the time "
        + "since its start, and the entries that could not be read."))
  var verbose = false

  /// The log for the details.
  var log: Log { verbose ? .standardError : .silent }

  /// The observers that print request events, except body chunks: the final event contains the
  /// size.
  var observers: [any RequestObserver] {
    guard verbose else { return [] }
    return [
      .calling { [log] event in
        if case .bytes = event.stage { return }
        log.write("\(event)")
      }
    ]
  }
}
