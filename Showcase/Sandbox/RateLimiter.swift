import Foundation

/// Counts requests in windows of time; the first request opens a window.
struct RateLimiter: Sendable {
  /// What the limiter says to one request.
  struct Reading: Sendable {
    let limit: Int
    var used: Int
    /// The end of the window in seconds since 1970.
    let reset: Int
    /// The whole seconds until then, at least 1.
    let wait: Int
    let isOver: Bool

    var remaining: Int { max(0, limit - used) }
  }

  private var end = Date.distantPast
  private var used = 0

  /// Counts a request, unless it is over the limit, in a window of so many seconds.
  mutating func take(limit: Int, window: TimeInterval, at now: Date) -> Reading {
    // The second half of the condition is for a clock that was set back, and a shorter window.
    if now >= end || end.timeIntervalSince(now) > window {
      end = now.addingTimeInterval(window)
      used = 0
    }
    let isOver = used >= limit
    if !isOver { used += 1 }
    return Reading(
      limit: limit, used: used, reset: Int(end.timeIntervalSince1970.rounded(.up)),
      wait: max(1, Int(end.timeIntervalSince(now).rounded(.up))), isOver: isOver)
  }

  /// Takes a counted request back, because it got a 304.
  mutating func giveBack() { used = max(0, used - 1) }
}
