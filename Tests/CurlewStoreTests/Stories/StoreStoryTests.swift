import TestSupport
import Testing

/// Stories of reads, writes, lost and late responses, invalidations, removals, sign-outs and launches, at random: what is
/// shown is always what an independent model says.
@Suite(.timeLimit(.minutes(30)))
struct StoreStoryTests {
  /// `CURLEW_FUZZ=100000` tells as many stories, `CURLEW_SEED` others.
  @Test func `what is shown is the newest known, and what is pending`() {
    let runs = Fuzz.runs(300)
    for run in 0..<runs {
      let seed = Fuzz.seed() &+ UInt64(run)
      var story = Story(seed: seed)
      if let difference = story.tell() {
        Issue.record("CURLEW_SEED=\(seed) CURLEW_FUZZ=1: \(difference)")
        return
      }
    }
  }
}
