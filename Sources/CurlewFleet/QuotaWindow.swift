/// The units of a quota that were taken in the last window.
///
/// Any period of the window's length has at most the limit, wherever a server's own window begins: the units of a tenth
/// of the window are free again when the whole tenth is older than the window.
struct QuotaWindow {
  /// The units of each tenth, by its number since the clock's start.
  private var tenths: [Int64: Int] = [:]
  /// The time at which all units are free.
  private(set) var end = Duration.zero

  /// Takes units, as many as are left; returns the time until there are more if they are fewer.
  mutating func take(
    _ count: Int, limit: Int, per window: Duration, at now: Duration
  ) -> (count: Int, retryAfter: Duration?) {
    let tenth = max(window / 10, .milliseconds(1))
    let current = Int64(now / tenth)
    tenths = tenths.filter { $0.key >= current - 10 }
    let oldest = tenths.keys.min() ?? current
    let taken = max(0, min(count, max(0, limit) - tenths.values.reduce(0, +)))
    if taken > 0 { tenths[current, default: 0] += taken }
    end = now + tenth * 11
    return (
      taken, taken < count ? max(tenth * Double(oldest + 11) - now, .milliseconds(1)) : nil
    )
  }
}
