public import Testing

/// Runs random stories from a seed, which is printed so that a failure can be reproduced; records the first problem.
///
/// - Parameter count: The number of stories in a full run.
public func tellStories(
  _ name: String, count: Int, sourceLocation: SourceLocation = #_sourceLocation,
  of story: (inout SeededGenerator) -> String?
) {
  let stories = Stories(name, count)
  for run in 0..<stories.count {
    var generator = SeededGenerator(seed: stories.seed &+ UInt64(run))
    if let problem = story(&generator) { return stories.record(problem, run, sourceLocation) }
  }
}

/// Runs asynchronous random stories; each gets a seed.
public func tellStories(
  _ name: String, count: Int, sourceLocation: SourceLocation = #_sourceLocation,
  of story: (UInt64) async -> String?
) async {
  let stories = Stories(name, count)
  for run in 0..<stories.count {
    if let problem = await story(stories.seed &+ UInt64(run)) {
      return stories.record(problem, run, sourceLocation)
    }
  }
}

private struct Stories {
  let name: String
  let seed: UInt64
  let count: Int

  init(_ name: String, _ count: Int) {
    self.name = name
    self.count = Fuzz.stories(full: count)
    seed = Fuzz.seed(20_261_121)
    print("\(self.count) stories of \(name) from seed \(seed) (set CURLEW_SEED to try another)")
  }

  func record(_ problem: String, _ run: Int, _ sourceLocation: SourceLocation) {
    Issue.record(
      "CURLEW_SEED=\(seed), \(name), story \(run): \(problem)", sourceLocation: sourceLocation)
  }
}
