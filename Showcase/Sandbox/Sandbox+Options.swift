public import Foundation

extension Sandbox {
  /// How a sandbox behaves: how slow, how unreliable and how strict it is.
  public struct Options: Sendable {
    /// The time that passes before each answer.
    public var latency: Duration
    /// The share of requests, 0 to 1, that are answered with a 500.
    public var failureRate: Double
    /// The requests that are answered in an hour; 0 refuses all, nil has no limit and no headers.
    public var rateLimit: Int?
    /// The seed of the generator that picks the failing requests; read at the start.
    public var seed: UInt64
    /// The clock that measures ``latency``.
    public var clock: any Clock<Duration>
    /// The present, for the rate limit's window and, read once at the start, for the data's ages.
    public var now: @Sendable () -> Date

    /// Creates options: fast, reliable, and 5,000 requests an hour, as for a client with a token.
    public init(
      latency: Duration = .zero, failureRate: Double = 0, rateLimit: Int? = 5_000,
      seed: UInt64 = 1, clock: any Clock<Duration> = ContinuousClock(),
      now: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.latency = latency
      self.failureRate = failureRate
      self.rateLimit = rateLimit
      self.seed = seed
      self.clock = clock
      self.now = now
    }

    /// Checks that every value makes sense.
    ///
    /// - Throws: ``Sandbox/Failure/invalidOption(_:)``, which names the value.
    public func validate() throws(Failure) {
      guard latency >= .zero else {
        throw .invalidOption("the latency \(latency) is negative")
      }
      // A clock stops the process when its sum overflows.
      guard latency <= .seconds(86_400) else {
        throw .invalidOption("the latency \(latency) is longer than a day")
      }
      guard (0...1).contains(failureRate) else {
        throw .invalidOption("the failure rate \(failureRate) is not between 0 and 1")
      }
      if let rateLimit, rateLimit < 0 {
        throw .invalidOption("the rate limit \(rateLimit) is negative")
      }
    }
  }
}
