public import Foundation

extension Sandbox {
  /// How a sandbox behaves: how slow, how unreliable and how strict it is.
  public struct Options: Sendable {
    /// The time that passes before each response.
    public var latency: Duration
    /// The share of requests, 0 to 1, that fail with a 500.
    public var failureRate: Double
    /// The requests to GitHub's look-alike that succeed in an hour; 0 refuses all, nil has no limit and no headers.
    public var rateLimit: Int?
    /// The searches that succeed in a minute; 0 refuses all, nil has no limit and no headers.
    public var searchRateLimit: Int?
    /// The length of the windows in which both limits count; nil for GitHub's own, an hour and a
    /// minute.
    public var rateWindow: Duration?
    /// Whether each search gives up half-way, with `incomplete_results`.
    public var incompleteResults: Bool
    /// How many entries of each list of top movies do not decode.
    public var damagedEntries: Int
    /// Whether the lists of movies begin with some that are valid but hard to show: missing and null
    /// members, very long words, text from right to left. (The repositories of that kind, such as
    /// `curlew/real-data`, are always there.)
    public var realData: Bool
    /// The seed of the generator that picks the failing requests; read at the start.
    public var seed: UInt64
    /// The clock that measures ``latency`` and, read once at the start, the time until issues are opened.
    public var clock: any Clock<Duration>
    /// The present, for the rate limit's window and, read once at the start, for the ages of the data.
    public var now: @Sendable () -> Date

    /// Creates options: fast, reliable, and 5,000 requests an hour with 30 searches a minute, as
    /// for a client with a token.
    public init(
      latency: Duration = .zero, failureRate: Double = 0, rateLimit: Int? = 5_000,
      searchRateLimit: Int? = 30, rateWindow: Duration? = nil, incompleteResults: Bool = false,
      damagedEntries: Int = 0, realData: Bool = false,
      seed: UInt64 = 1, clock: any Clock<Duration> = ContinuousClock(),
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.latency = latency
      self.failureRate = failureRate
      self.rateLimit = rateLimit
      self.searchRateLimit = searchRateLimit
      self.rateWindow = rateWindow
      self.incompleteResults = incompleteResults
      self.damagedEntries = damagedEntries
      self.realData = realData
      self.seed = seed
      self.clock = clock
      self.now = now
    }

    /// Checks that every value makes sense.
    ///
    /// - Throws: ``Sandbox/Failure/invalidOption(_:)``, which names the value.
    public func validate() throws(Failure) {
      // A clock stops the process when its sum overflows, hence the day.
      let window = Duration.seconds(1) ... .seconds(86_400)
      let problems: [(isOne: Bool, text: String)] = [
        (latency < .zero, "the latency \(latency) is negative"),
        (latency > .seconds(86_400), "the latency \(latency) is longer than a day"),
        (!(0...1).contains(failureRate), "the failure rate \(failureRate) is not between 0 and 1"),
        (rateLimit ?? 0 < 0, "the rate limit \(rateLimit ?? 0) is negative"),
        (searchRateLimit ?? 0 < 0, "the search rate limit \(searchRateLimit ?? 0) is negative"),
        (
          rateWindow.map { !window.contains($0) } ?? false,
          "the window \(rateWindow ?? .zero) is not between a second and a day"
        ),
        (damagedEntries < 0, "the number of damaged entries \(damagedEntries) is negative"),
      ]
      if let problem = problems.first(where: \.isOne) { throw .invalidOption(problem.text) }
    }
  }
}
