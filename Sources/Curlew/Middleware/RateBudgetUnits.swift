extension RateBudget {
  /// The units that a server got, and the time until there are more if it got fewer than it asked for.
  public typealias Grant = (count: Int, retryAfter: Duration?)

  /// A function that takes units of a limit, by its scope, which all servers share: at most `limit` in any `window`.
  public typealias Units =
    @Sendable (_ count: Int, _ scope: String, _ limit: Int, _ window: Duration) async -> Grant
}

/// A request for units of a shared limit.
struct UnitBatch: Sendable {
  let count: Int
  let limit: Int
  let window: Duration
  let units: RateBudget.Units

  func request(_ scope: String) async -> RateBudget.Grant {
    await units(count, scope, limit, window)
  }
}

/// The units that a server has of a limit that several servers share.
///
/// They are taken in batches, so that a request rarely waits for other servers. Units that are not used within a tenth of
/// the window are lost: the window counts from when they were taken.
struct SharedUnits: Sendable {
  enum Step {
    /// The limit is unknown, until the response to one request reports it.
    case probe
    case take(UnitBatch)
    case pause(Duration)
    case send
  }

  /// The lengths of windows in common use; a response in the middle of a window shows only a part of it.
  private static let windows = [1, 10, 60, 900, 3_600].map(Duration.seconds)

  let units: RateBudget.Units
  /// Whether this server asks for units.
  private(set) var isTaking = false
  private var limit: (count: Int, window: Duration)?
  private var isUnlimited = false
  private var count = 0
  /// The number of requests that were sent without a unit.
  private var debt = 0
  private var batch = 1
  private var expiresAt = Duration.zero
  private var pausedUntil = Duration.zero

  init(_ units: @escaping RateBudget.Units) { self.units = units }

  /// Counts a request, if it can be sent.
  mutating func use(at now: Duration) -> Step {
    guard let limit else {
      if isUnlimited { return .send }
      debt += 1
      return .probe
    }
    if pausedUntil > now { return .pause(pausedUntil - now) }
    if count > 0, expiresAt > now {
      count -= 1
      return .send
    }
    // A server that uses few units takes few.
    batch = count > 0 ? max(1, batch / 2) : min(batch * 2, max(1, limit.count / 20))
    (isTaking, count) = (true, 0)
    // A twentieth is left for the first requests of servers that don't know the limit yet.
    let shared = limit.count - limit.count / 20
    return .take(
      UnitBatch(count: batch + debt, limit: shared, window: limit.window * 11 / 10, units: units))
  }

  mutating func add(_ grant: RateBudget.Grant, of batch: UnitBatch, at now: Duration) {
    isTaking = false
    count = max(0, grant.count - debt)
    debt = max(0, debt - grant.count)
    expiresAt = now + batch.window / 11
    if count == 0 { pausedUntil = now + (grant.retryAfter ?? .milliseconds(1)) }
  }

  /// Updates the limit with the one that a response reports.
  mutating func learn(_ reported: RateLimit?) {
    guard let reported, let count = reported.limit, let reset = reported.reset else {
      isUnlimited = limit == nil
      return
    }
    let window = Self.windows.first { $0 >= reset } ?? .seconds(3_600)
    limit = (count, max(limit?.window ?? .zero, window))
  }
}
