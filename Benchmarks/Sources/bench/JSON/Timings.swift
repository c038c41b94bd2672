/// The times of several closures, measured in turns so that disturbances affect all of them.
struct Timings {
  /// The seconds per run, by closure and round.
  private var seconds: [[Double]]

  /// Measures each closure for about 40 ms per round, after a warm-up round.
  init(_ work: [() throws -> Void], _ rounds: Int) throws {
    seconds = work.map { _ in [] }
    let counts = try work.map { work in
      try work()
      let once = try Self.time(work, 1)
      let several = try Self.time(work, max(1, Int(0.04 / once)))
      return max(1, Int(0.04 / several))
    }
    for round in 0..<rounds {
      // Every second round is reversed, so that no closure always runs first.
      let order = Array(work.indices)
      for index in round.isMultiple(of: 2) ? order : order.reversed() {
        seconds[index].append(try Self.time(work[index], counts[index]))
      }
    }
  }

  /// Returns the median seconds per run of a closure.
  func median(_ index: Int) -> Double { seconds[index].median }

  /// Returns the ratio of two closures' times: the median over the rounds, and the range of the middle half of the
  /// rounds.
  func ratios(_ index: Int, to peer: Int) -> (median: Double, low: Double, high: Double) {
    let ratios = zip(seconds[index], seconds[peer]).map { $0 / $1 }.sorted()
    return (ratios.median, ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
  }

  private static func time(_ work: () throws -> Void, _ count: Int) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<count { try work() }
    return (clock.now - start) / .seconds(1) / Double(count)
  }
}
