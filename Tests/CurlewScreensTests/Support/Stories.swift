import CurlewTesting
import Foundation
import Testing

typealias Generator = InterleavingTests.Generator

/// Tells random stories from a seed, which is printed so that a failure can be told again; records
/// the first problem.
func tellStories(
  _ name: String, count: Int, of story: (inout Generator) -> String?
) {
  let seed = ProcessInfo.processInfo.environment["CURLEW_SEED"].flatMap(UInt64.init) ?? 20_261_121
  print("\(count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  for run in 0..<count {
    var generator = Generator(state: seed &+ UInt64(run))
    if let problem = story(&generator) {
      Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
      return
    }
  }
}

extension Generator {
  mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Whether something happens that happens once in so many times.
  mutating func isOnce(in times: Int) -> Bool { pick(1...times) == 1 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[pick(0...elements.count - 1)]
  }
}

/// Returns a state that was delivered twice in a row.
func repeated<State: Equatable>(in states: [State]) -> State? {
  zip(states, states.dropFirst()).first { $0 == $1 }?.1
}
