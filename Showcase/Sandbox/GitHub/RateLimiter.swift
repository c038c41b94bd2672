import Foundation

/// Counts requests in fixed time windows; a window begins with its first request.
struct RateLimiter: Sendable {
  private var end = Date.distantPast
  private var used = 0

  /// Counts a request, unless the limit is exceeded; returns nil if the options have no limit.
  mutating func count(
    _ request: SiteRequest, of resource: String
  ) -> (isOver: Bool, fields: [String: String?])? {
    let (options, now) = (request.options, request.now)
    let isSearch = resource == "search"
    guard let limit = isSearch ? options.searchRateLimit : options.rateLimit else { return nil }
    let window = options.rateWindow.map { $0 / .seconds(1) } ?? (isSearch ? 60 : 3_600)
    // The second condition handles a clock that was set back, and a shortened window.
    if now >= end || end.timeIntervalSince(now) > window {
      end = now.addingTimeInterval(window)
      used = 0
    }
    let isOver = used >= limit
    if !isOver { used += 1 }
    let wait = max(1, Int(end.timeIntervalSince(now).rounded(.up)))
    return (
      isOver,
      [
        "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(max(0, limit - used)),
        "X-RateLimit-Used": String(used), "X-RateLimit-Resource": resource,
        "X-RateLimit-Reset": String(Int(end.timeIntervalSince1970.rounded(.up))),
        "Retry-After": isOver ? String(wait) : nil,
      ]
    )
  }
}
