/// Keys and the numbers of their last uses: at least the 10,000 that were used last.
struct RecentKeys<Key: Hashable> {
  private static var limit: Int { 10_000 }

  private(set) var numbers: [Key: UInt64] = [:]

  /// Adds a key, or records that it was used again; returns the removed keys, the oldest first.
  ///
  /// Several keys are removed at once, because finding the oldest key takes time.
  @discardableResult
  mutating func use(_ key: Key, at number: UInt64) -> [Key] {
    numbers[key] = number
    guard numbers.count > Self.limit + Self.limit / 16 else { return [] }
    let oldest = numbers.sorted { $0.value < $1.value }.prefix(numbers.count - Self.limit)
    for (key, _) in oldest { numbers[key] = nil }
    return oldest.map(\.key)
  }

  mutating func removeAll(where isRemoved: (Key) -> Bool) {
    numbers = numbers.filter { !isRemoved($0.key) }
  }
}
