import CurlewTesting
import Foundation
import Testing

/// Tells random stories from a seed, which is printed so that a failure can be told again; records
/// the first problem.
func tellStories(_ name: String, count: Int = 1_000, of story: (inout SeededGenerator) -> String?) {
  let seed = ProcessInfo.processInfo.environment["CURLEW_SEED"].flatMap(UInt64.init) ?? 20_261_121
  print("\(count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  for run in 0..<count {
    var generator = SeededGenerator(seed: seed &+ UInt64(run))
    if let problem = story(&generator) {
      Testing.Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
      return
    }
  }
}
