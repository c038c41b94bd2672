import TestSupport
import Testing

/// Random histories against a model of RFC 9111.
@Suite struct CacheModelTests {
  private let seed = Fuzz.seed()

  @Test(.timeLimit(.minutes(60)))
  func `cache is never staler than the model allows`() async {
    await check(runs: Fuzz.runs(400, of: 10)) { CacheHistory(seed: $0) }
  }

  @Test(.timeLimit(.minutes(60)))
  func `clients that share a cache keep to the model`() async {
    await check(runs: Fuzz.runs(100, of: 20)) { CacheHistory(seed: $0, clients: 2) }
  }

  @Test(.timeLimit(.minutes(60)))
  func `concurrent requests keep to the model`() async {
    await check(runs: Fuzz.runs(100, of: 20)) {
      CacheHistory(seed: $0, clients: 2, concurrency: 6)
    }
  }

  private func check(runs: Int, of make: (UInt64) -> CacheHistory) async {
    for run in 0..<runs {
      let seed = seed &+ UInt64(run)
      if let problem = await CacheModelRun.problem(in: make(seed)) {
        Testing.Issue.record("CURLEW_SEED=\(seed): \(problem)")
        return
      }
    }
  }
}
