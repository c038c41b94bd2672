import TestSupport
import Testing

/// Runs random stories of two processes with one outbox: lost requests and responses, refusals, conflicts with other users,
/// temporary ids, actions that cancel each other out, full disks, killed processes, changes of the account, and a clock that
/// is set back.
@Suite(.timeLimit(.minutes(60)))
struct OutboxStoryTests {
  /// `CURLEW_FUZZ=200000` sets the number of stories, `CURLEW_SEED` the seed.
  @Test func `the outbox does what its model says`() {
    var counts: [String: Int] = [:]
    for run in 0..<Fuzz.runs(200) {
      let seed = Fuzz.seed() &+ UInt64(run)
      var story = OutboxStory(seed: seed)
      if let difference = story.tell() {
        Issue.record(
          "CURLEW_SEED=\(seed) CURLEW_FUZZ=1: \(difference)\n\(story.log.joined(separator: "\n"))")
        return
      }
      counts.merge(story.counts) { $0 + $1 }
    }
    if Fuzz.runs(200) >= 200 { #expect(counts.count == 4, "\(counts)") }
  }
}
