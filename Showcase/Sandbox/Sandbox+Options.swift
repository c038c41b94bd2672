public import Foundation

extension Sandbox {
  /// How a sandbox behaves: how slow, how unreliable and how strict it is.
  public struct Options: Sendable {
    /// The time that passes before each response.
    public var latency: Duration = .zero
    /// The share of requests, 0 to 1, that fail with a 500.
    public var failureRate: Double = 0
    /// The requests to GitHub's look-alike that succeed in an hour; 0 refuses all, nil has no limit and no headers.
    public var rateLimit: Int? = 5_000
    /// The searches that succeed in a minute; 0 refuses all, nil has no limit and no headers.
    public var searchRateLimit: Int? = 30
    /// The length of the windows in which both limits count; nil for GitHub's own, an hour and a
    /// minute.
    public var rateWindow: Duration?
    /// Whether each search gives up half-way, with `incomplete_results`.
    public var incompleteResults: Bool = false
    /// Until when each connection is cut off without a response.
    public var outageEnd: Date?
    /// How many entries of each list of top movies do not decode.
    public var damagedEntries: Int = 0
    /// The seed of the generator that picks the failing requests; read at the start.
    public var seed: UInt64 = 1
    /// The clock that measures ``latency`` and, read once at the start, the time until issues are opened.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The present, for the rate limit's window and, read once at the start, for the ages of the data.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates options: fast, reliable, and 5,000 requests an hour with 30 searches a minute, as
    /// for a client with a token.
    ///
    /// - Parameter change: Changes what shall be otherwise.
    public init(_ change: (inout Options) -> Void = { _ in }) { change(&self) }
  }
}
