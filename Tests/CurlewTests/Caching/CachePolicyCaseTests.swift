import CurlewTesting
import TestSupport
import Testing

/// The cases of the RFCs against the policy alone, on a virtual clock.
@Suite(.timeLimit(.minutes(1)))
struct CachePolicyCaseTests {
  @Test(arguments: CacheCases.all)
  func aSentenceOfTheStandardHolds(_ cacheCase: CacheCase) {
    let problems = SimulatedCache(cacheCase).problems
    #expect(problems.isEmpty, "\(cacheCase): \(problems.joined(separator: "; "))")
  }

  @Test func thereAreManyCasesAndEachIsThereOnce() {
    #expect(CacheCases.all.count >= 250)
    let names = CacheCases.all.map(\.description)
    #expect(Set(names).count == names.count)
  }
}
