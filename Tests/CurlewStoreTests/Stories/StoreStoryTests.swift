import TestSupport
import Testing

/// Runs random stories of reads, writes, lost and late responses, invalidations, removals, sign-outs and launches.
///
/// The shown values must always match an independent model.
@Suite(.timeLimit(.minutes(30)))
struct StoreStoryTests {
  /// `CURLEW_FUZZ=100000` sets the number of stories, `CURLEW_SEED` the seed.
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
