/// The units of a quota that were taken in the last window.
///
/// Any period of the window's length has at most the limit, wherever a server's own window begins: the units of a tenth
/// of the window are free again when the whole tenth is older than the window.
struct QuotaWindow {
  /// The units of each tenth, by its number since the clock's start.
  private var tenths: [Int64: Int] = [:]

  /// Returns the number of free units, and the time until there are more.
  mutating func free(
    of limit: Int, per window: Duration, at now: Duration
  ) -> (count: Int, retryAfter: Duration) {
    let tenth = max(window / 10, .milliseconds(1))
    let current = Int64(now / tenth)
    tenths = tenths.filter { $0.key >= current - 10 }
    let oldest = tenths.keys.min() ?? current
    return (
      max(0, limit - tenths.values.reduce(0, +)),
      max(tenth * Double(oldest + 11) - now, .milliseconds(1))
    )
  }

  /// Counts units as taken.
  mutating func take(_ count: Int, per window: Duration, at now: Duration) {
    guard count > 0 else { return }
    tenths[Int64(now / max(window / 10, .milliseconds(1))), default: 0] += count
  }
}
