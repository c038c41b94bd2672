/// The numbers of actions that visitors may send now: a token bucket for each of them.
struct ActionRates: Sendable {
  /// The time in which an empty bucket is full again.
  static let time: Duration = .seconds(10)

  private let limit: Double
  private var buckets: [String: (left: Double, time: Duration)] = [:]
  /// The number of buckets at which full ones are removed.
  private var sweepCount = 1_000

  init(limit: Int) { self.limit = Double(limit) }

  /// Takes an action of a visitor; returns false if the visitor has sent too many.
  mutating func take(for id: String, at now: Duration) -> Bool {
    guard !id.isEmpty else { return true }
    let left = left(in: buckets[id], at: now)
    guard left >= 1 else { return false }
    if buckets.count >= sweepCount {
      buckets = buckets.filter { self.left(in: $0.value, at: now) < limit }
      sweepCount = max(1_000, 2 * buckets.count)
    }
    buckets[id] = (left - 1, now)
    return true
  }

  private func left(in bucket: (left: Double, time: Duration)?, at now: Duration) -> Double {
    guard let bucket else { return limit }
    return min(limit, bucket.left + limit * ((now - bucket.time) / Self.time))
  }
}
