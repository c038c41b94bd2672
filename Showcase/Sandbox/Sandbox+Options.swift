public import Foundation

extension Sandbox {
  /// The options for the sandbox's latency, failures and limits.
  public struct Options: Sendable {
    /// The delay before each response.
    public var latency: Duration = .zero
    /// The fraction of requests, from 0 to 1, that fail with a 500 response.
    public var failureRate: Double = 0
    /// The number of successful GitHub requests per hour; 0 rejects all requests; nil disables the
    /// limit and its header fields.
    public var rateLimit: Int? = 5_000
    /// The number of successful searches per minute; 0 rejects all searches; nil disables the limit
    /// and its header fields.
    public var searchRateLimit: Int? = 30
    /// The length of the windows of both limits; nil for GitHub's defaults, an hour and a minute.
    public var rateWindow: Duration?
    /// Whether each search is incomplete, with `incomplete_results`.
    public var incompleteResults: Bool = false
    /// The time until which each connection is closed before its response is complete.
    public var outageEnd: Date?
    /// The number of undecodable entries in each list of top movies.
    public var damagedEntries: Int = 0
    /// The time after which an access token of a user expires.
    public var tokenTime: Duration = .seconds(300)
    /// The seed of the generator that selects the failing requests; read at the start.
    public var seed: UInt64 = 1
    /// The clock for ``latency``, and for the time until issues are opened, for which it is read
    /// once at the start.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The current date for the rate limit's window, and for the ages of the data, for which it is
    /// read once at the start.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates options: no latency, no failures, and 5,000 requests per hour with 30 searches per
    /// minute, the limits for a client with a token.
    ///
    /// - Parameter change: A closure that changes the default options.
    public init(_ change: (inout Options) -> Void = { _ in }) { change(&self) }
  }
}
