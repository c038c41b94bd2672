import Testing

/// Tells random stories from a seed, which is printed so that a failure can be told again; records
/// the first problem.
///
/// - Parameter count: How many, unless `CURLEW_STORIES` says otherwise.
package func tellStories(
  _ name: String, count: Int, of story: (inout SeededGenerator) -> String?
) {
  let stories = Stories(name, count)
  for run in 0..<stories.count {
    var generator = SeededGenerator(seed: stories.seed &+ UInt64(run))
    if let problem = story(&generator) { return stories.record(problem, run) }
  }
}

/// The same for stories that go on by themselves; each gets a seed.
package func tellStories(
  _ name: String, count: Int, of story: (UInt64) async -> String?
) async {
  let stories = Stories(name, count)
  for run in 0..<stories.count {
    if let problem = await story(stories.seed &+ UInt64(run)) {
      return stories.record(problem, run)
    }
  }
}

private struct Stories {
  let name: String
  let seed: UInt64
  let count: Int

  init(_ name: String, _ count: Int) {
    self.name = name
    self.count = Fuzz.stories(count)
    seed = Fuzz.seed(20_261_121)
    print("\(self.count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  }

  func record(_ problem: String, _ run: Int) {
    Issue.record("CURLEW_SEED=\(seed), \(name), story \(run): \(problem)")
  }
}
