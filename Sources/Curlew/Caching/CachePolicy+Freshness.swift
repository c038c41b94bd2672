import Foundation
import HTTPTypes

extension CachePolicy {
  /// The heuristic lifetime of a response, as a fraction of the time since its last modification: the "typical
  /// setting" of RFC 9111 section 4.2.2.
  private static let heuristicShare = 0.1
  /// The maximum heuristic lifetime in seconds: a day, beyond which RFC 7234 section 5.5.4 recommended a
  /// warning; a resource that did not change for ten days may still change tomorrow.
  private static let maximumHeuristicLifetime = 86_400.0
  /// The number of seconds by which a clock may go back without counting as set back: clocks are adjusted in
  /// small steps.
  private static let clockTolerance = 1.0

  /// The heuristically cacheable status codes (RFC 9110 section 15.1).
  static let heuristicStatuses: Set<Int> = [
    200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
  ]

  /// Returns the age of a stored response (RFC 9111 section 4.2.3), in seconds.
  func age(of stored: StoredResponse, now: Date) -> Double {
    let fields = stored.head.headerFields
    var apparent = 0.0
    if let date = fields.date(.date, now: stored.responseTime) {
      // `Date` has whole seconds, so a fraction of a second is no age.
      let arrival = stored.responseTime.timeIntervalSince1970.rounded(.down)
      apparent = max(0, arrival - date.timeIntervalSince1970)
    }
    let delay = max(0, stored.responseTime.timeIntervalSince(stored.requestTime))
    let initial = max(apparent, (fields.ageInSeconds ?? 0) + delay)
    // After the clock was set back, the resident time is unknown; `isClockSetBack` makes the response stale.
    let resident = abs(now.timeIntervalSince(stored.responseTime))
    let age = initial + resident
    // Written so that NaN also results in the maximum.
    return age < CacheControl.greatest ? age : CacheControl.greatest
  }

  /// Returns the date at which the server sent or last validated a stored response.
  func currentAt(_ stored: StoredResponse) -> Date {
    stored.responseTime.addingTimeInterval(-age(of: stored, now: stored.responseTime))
  }

  /// Returns the freshness lifetime of a stored response (RFC 9111 section 4.2.1), in seconds.
  func lifetime(of stored: StoredResponse) -> Double {
    freshness(of: stored, now: stored.responseTime).lifetime
  }

  /// Returns the remaining freshness lifetime in seconds; negative if the response is stale.
  func timeToLive(of stored: StoredResponse, now: Date) -> Int {
    freshness(of: stored, now: now).timeToLive
  }

  /// The freshness of a stored response, computed once per decision.
  struct Freshness {
    let control: CacheControl
    /// The age and the lifetime, in seconds.
    let age: Double
    let lifetime: Double
    let isHeuristic: Bool
    /// Whether the age is known.
    let isKnown: Bool
    /// Whether the response was marked as outdated.
    let isOutdated: Bool

    var timeToLive: Int { Int((lifetime - age).rounded(.down)) }

    /// Whether the response must be validated even while it is fresh.
    var mustValidate: Bool { control.noCache || isNoLongerStored }

    /// Whether a 304 added `no-store`, so that the response should no longer be stored.
    var isNoLongerStored: Bool {
      control.restricts("no-store") && !control.permits("must-understand")
    }
  }

  /// Returns the freshness of a stored response.
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
  /// It ignores `s-maxage`, which is for shared caches.
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

  /// Returns the heuristic lifetime (RFC 9111 section 4.2.2); `nil` if there is none.
  private func heuristicLifetime(of stored: StoredResponse, _ control: CacheControl) -> Double? {
    let fields = stored.head.headerFields
    guard usesHeuristics,
      Self.heuristicStatuses.contains(stored.head.status.code)
        || control.permits("public"),
      let modified = fields.date(.lastModified, now: stored.responseTime)
    else { return nil }
    let date = fields.date(.date, now: stored.responseTime) ?? stored.responseTime
    let unchanged = date.timeIntervalSince(modified)
    return unchanged > 0 ? min(unchanged * Self.heuristicShare, Self.maximumHeuristicLifetime) : 0
  }

  /// Returns whether the clock is earlier than the arrival of a response, so that its age is unknown.
  ///
  /// Without this check, the response could stay fresh for as long as the clock is behind.
  func isClockSetBack(_ stored: StoredResponse, now: Date) -> Bool {
    now.timeIntervalSince(stored.responseTime) < -Self.clockTolerance
  }
}
