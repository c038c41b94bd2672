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
  let (seed, count) = stories(name, count)
  for run in 0..<count {
    var generator = SeededGenerator(seed: seed &+ UInt64(run))
    if let problem = story(&generator) {
      Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
      return
    }
  }
}

/// The same for stories that go on by themselves; each gets a seed.
func tellStories(_ name: String, count: Int, of story: (UInt64) async -> String?) async {
  let (seed, count) = stories(name, count)
  for run in 0..<count {
    if let problem = await story(seed &+ UInt64(run)) {
      Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
      return
    }
  }
}

private func stories(_ name: String, _ count: Int) -> (seed: UInt64, count: Int) {
  let environment = ProcessInfo.processInfo.environment
  let seed = environment["CURLEW_SEED"].flatMap(UInt64.init) ?? 20_261_121
  let count = environment["CURLEW_STORIES"].flatMap(Int.init) ?? count
  print("\(count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  return (seed, count)
}

/// Returns a state that was delivered twice in a row.
func repeated<State: Equatable>(in states: [State]) -> State? {
  zip(states, states.dropFirst()).first { $0 == $1 }?.1
}
