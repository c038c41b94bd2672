import Foundation
import HTTPTypes

/// Counts requests in windows of time; the first request opens a window.
struct RateLimiter: Sendable {
  /// What a limit is for.
  enum Resource: String, Sendable {
    case core, search

    init(_ request: SiteRequest) {
      self = request.path == "/search/repositories" ? .search : .core
    }
  }

  /// The limiter's state after a request.
  struct Usage: Sendable {
    let resource: Resource
    let limit: Int
    var used: Int
    /// The end of the window in seconds since 1970.
    let reset: Int
    /// The whole seconds until then, at least 1.
    let wait: Int
    let isOver: Bool

    var fields: [String: String?] {
      [
        "X-RateLimit-Limit": String(limit), "X-RateLimit-Remaining": String(max(0, limit - used)),
        "X-RateLimit-Used": String(used), "X-RateLimit-Reset": String(reset),
        "X-RateLimit-Resource": resource.rawValue,
      ]
    }
  }

  private var end = Date.distantPast
  private var used = 0

  /// Counts a request, unless it is over the limit; nil where the options have no limit.
  mutating func count(_ request: SiteRequest, of resource: Resource) -> Usage? {
    let (options, now) = (request.options, request.now)
    let isSearch = resource == .search
    guard let limit = isSearch ? options.searchRateLimit : options.rateLimit else { return nil }
    let window = options.rateWindow.map { $0 / .seconds(1) } ?? (isSearch ? 60 : 3_600)
    // The second half of the condition is for a clock that was set back, and a shorter window.
    if now >= end || end.timeIntervalSince(now) > window {
      end = now.addingTimeInterval(window)
      used = 0
    }
    let isOver = used >= limit
    if !isOver { used += 1 }
    return Usage(
      resource: resource, limit: limit, used: used,
      reset: Int(end.timeIntervalSince1970.rounded(.up)),
      wait: max(1, Int(end.timeIntervalSince(now).rounded(.up))), isOver: isOver)
  }

  /// Takes a counted request back, because its response was a 304.
  mutating func giveBack() { used = max(0, used - 1) }
}
