package import Foundation
import HTTPTypes

extension CachePolicy {
  /// The share of the time since its last modification for which a response is fresh by heuristics: the
  /// "typical setting" of RFC 9111 section 4.2.2.
  private static let heuristicShare = 0.1
  /// The longest lifetime by heuristics: a day, beyond which RFC 7234 section 5.5.4 wanted users to be warned;
  /// what was not changed for ten days may well change tomorrow.
  private static let longestHeuristic = 86_400.0
  /// How far a clock may go back without having been set: clocks are adjusted in small steps.
  private static let clockTolerance = 1.0

  /// The statuses of which responses may be fresh by heuristics (RFC 9110 section 15.1).
  static let heuristicStatuses: Set<Int> = [
    200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
  ]

  /// Returns the age of a stored response (RFC 9111 section 4.2.3), in seconds.
  package func age(of stored: StoredResponse, now: Date) -> Double {
    let fields = stored.head.headerFields
    var apparent = 0.0
    if let date = fields.date(.date, now: stored.responseTime) {
      // A date has whole seconds: a fraction of one is no age.
      let arrival = stored.responseTime.timeIntervalSince1970.rounded(.down)
      apparent = max(0, arrival - date.timeIntervalSince1970)
    }
    let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
    let initial = max(apparent, (fields.ageInSeconds ?? 0) + delay)
    // After the clock was set back the time in the cache is not known; `isClockSetBack` makes it stale.
    let resident = abs(now.timeIntervalSince(stored.responseTime))
    let age = initial + resident
    // Also for times that are no numbers.
    return age < CacheControl.greatest ? age : CacheControl.greatest
  }

  /// Returns when the server sent or validated a stored response.
  func currentAt(_ stored: StoredResponse) -> Date {
    stored.responseTime.addingTimeInterval(-age(of: stored, now: stored.responseTime))
  }

  /// Returns how long a response is fresh from its origin on (RFC 9111 section 4.2.1), in seconds.
  package func lifetime(of stored: StoredResponse) -> Double {
    freshness(of: stored, now: stored.responseTime).lifetime
  }

  /// Returns for how many seconds a response stays fresh; a negative number if it is stale.
  package func timeToLive(of stored: StoredResponse, now: Date) -> Int {
    freshness(of: stored, now: now).timeToLive
  }

  /// What a decision needs to know about a stored response, read once.
  struct Freshness {
    let control: CacheControl
    /// The age and the lifetime, in seconds.
    let age: Double
    let lifetime: Double
    let isHeuristic: Bool
    /// Whether the age is known.
    let isKnown: Bool
    /// Whether it is known to be out of date.
    let isOutdated: Bool

    var timeToLive: Int { Int((lifetime - age).rounded(.down)) }

    /// Whether the response may not be used without validation, though it is fresh.
    var mustValidate: Bool { control.noCache || isNoLongerStored }

    /// Whether a 304 brought `no-store`, so that the response should not be here any more.
    var isNoLongerStored: Bool {
      control.restricts("no-store") && !control.permits("must-understand")
    }
  }

  /// Returns what a decision needs to know about a stored response.
  func freshness(of stored: StoredResponse, now: Date) -> Freshness {
    let control = stored.head.headerFields.cacheControl
    let explicit = explicitLifetime(of: stored, control)
    return Freshness(
      control: control, age: age(of: stored, now: now),
      lifetime: explicit ?? heuristicLifetime(of: stored, control) ?? 0,
      isHeuristic: explicit == nil, isKnown: !isClockSetBack(stored, now: now),
      isOutdated: stored.isOutdated)
  }

  /// Returns the lifetime that a response states; `nil` if it states none.
  ///
  /// `s-maxage` is for shared caches.
  func explicitLifetime(of stored: StoredResponse, _ control: CacheControl) -> Double? {
    let fields = stored.head.headerFields
    if let seconds = control.shortest("max-age") { return seconds }
    guard fields.contains(.expires) else { return nil }
    // A malformed or repeated `Expires` is in the past (RFC 9111 section 5.3).
    guard let expires = fields.date(.expires, now: stored.responseTime) else { return 0 }
    let date = fields.date(.date, now: stored.responseTime) ?? stored.responseTime
    let seconds = expires.timeIntervalSince(date)
    return seconds > 0 ? min(seconds, CacheControl.greatest) : 0
  }

  /// Returns the lifetime by heuristics (RFC 9111 section 4.2.2); `nil` if there is none.
  private func heuristicLifetime(of stored: StoredResponse, _ control: CacheControl) -> Double? {
    let fields = stored.head.headerFields
    guard usesHeuristics,
      Self.heuristicStatuses.contains(stored.head.status.code)
        || control.permits("public"),
      let modified = fields.date(.lastModified, now: stored.responseTime)
    else { return nil }
    let date = fields.date(.date, now: stored.responseTime) ?? stored.responseTime
    let unchanged = date.timeIntervalSince(modified)
    return unchanged > 0 ? min(unchanged * Self.heuristicShare, Self.longestHeuristic) : 0
  }

  /// Returns whether the clock is before the time at which a response was stored, so that its age is not
  /// known: without this, it could be fresh for as long as the clock is behind.
  func isClockSetBack(_ stored: StoredResponse, now: Date) -> Bool {
    now.timeIntervalSince(stored.responseTime) < -Self.clockTolerance
  }
}
