import CurlewTesting
import Foundation
import Testing

/// Tells random stories from a seed, which is printed so that a failure can be told again; records
/// the first problem.
///
/// `CURLEW_STORIES` tells more or fewer of them than by default.
func tellStories(
  _ name: String, count: Int, of story: (inout SeededGenerator) -> String?
) {
  let environment = ProcessInfo.processInfo.environment
  let seed = environment["CURLEW_SEED"].flatMap(UInt64.init) ?? 20_261_121
  let count = environment["CURLEW_STORIES"].flatMap(Int.init) ?? count
  print("\(count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  for run in 0..<count {
    var generator = SeededGenerator(seed: seed &+ UInt64(run))
    if let problem = story(&generator) {
      Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
      return
    }
  }
}

/// Returns a state that was delivered twice in a row.
func repeated<State: Equatable>(in states: [State]) -> State? {
  zip(states, states.dropFirst()).first { $0 == $1 }?.1
}
