import ArgumentParser
import Sandbox

/// The options that say where the issues come from; the sandbox, when they say nothing.
struct SourceOptions: ParsableArguments {
  @Flag(help: "Talk to api.github.com, with the token in GITHUB_TOKEN when it is set.")
  var live = false

  @Option(
    help: ArgumentHelp(
      "Answer from a recording (HAR 1.2) instead of a server.",
      discussion: "A request gets the nearest recording of its method and path.",
      valueName: "file"),
    completion: .file(extensions: ["har"]))
  var replay: String?

  @Option(help: ArgumentHelp("The sandbox waits this long before each answer.", valueName: "ms"))
  var latency: Int?

  @Option(help: ArgumentHelp("The sandbox fails this share of requests.", valueName: "0...1"))
  var failureRate: Double?

  @Option(help: ArgumentHelp("The sandbox refuses more requests in an hour.", valueName: "n"))
  var rateLimit: Int?

  func validate() throws {
    if live, replay != nil {
      throw ValidationError("--live and --replay can't be combined: choose one.")
    }
    if let other = live ? "--live" : replay.map({ _ in "--replay" }), let name = sandboxOption {
      throw ValidationError("\(name) is for the sandbox: it can't be combined with \(other).")
    }
    if replay?.isEmpty == true { throw ValidationError("--replay needs a file's name.") }
    if let latency, !(0...86_400_000).contains(latency) {
      throw ValidationError("--latency is between 0 and 86400000 ms (a day), not \(latency).")
    }
    if let failureRate, !(0...1).contains(failureRate) {
      throw ValidationError("--failure-rate is between 0 and 1, not \(failureRate).")
    }
    if let rateLimit, rateLimit < 0 {
      throw ValidationError("--rate-limit is 0 or more, not \(rateLimit).")
    }
  }

  /// What was chosen.
  var source: Source {
    if live { return .live }
    if let replay { return .replay(replay) }
    var options = Sandbox.Options()
    if let latency { options.latency = .milliseconds(latency) }
    if let failureRate { options.failureRate = failureRate }
    // Other requests fail each time, as people expect of a share.
    options.seed = .random(in: 0 ... .max)
    if let rateLimit { options.rateLimit = rateLimit }
    return .sandbox(options)
  }

  /// The first option that was given for the sandbox.
  private var sandboxOption: String? {
    if latency != nil { return "--latency" }
    if failureRate != nil { return "--failure-rate" }
    return rateLimit == nil ? nil : "--rate-limit"
  }
}
