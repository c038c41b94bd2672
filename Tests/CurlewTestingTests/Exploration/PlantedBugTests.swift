import CurlewScreens
import CurlewTesting
import Testing

/// Each defect of a copy of a screen is found, with a short order.
@Suite(.timeLimit(.minutes(1)))
struct PlantedBugTests {
  private func search(_ defect: FaultySearch.Defect?) async -> Exploration {
    let found = PendingResponses { (text: String) in ["1 of \(text)"] }
    return await explore(
      FaultySearch(defect: defect) { try await found.next(for: $0) },
      events: [.term("a"), .term("ab"), .term(""), .submit, .cancel],
      checking: [
        .always { #expect(!$0.state.text.isEmpty || $0.state.results == .idle) },
        .model((hasFailed: false, mustLoad: false)) { model, step, probe in
          switch step.kind {
          case .event(FaultySearch.Event.submit): model = (false, model.hasFailed)
          case .failure: model = (true, false)
          default: model = (false, false)
          }
          #expect(!model.mustLoad || probe.state.results.isLoading)
        },
        .finally { #expect($0.state.term == nil || $0.state.term == $0.state.text) },
      ], steps: 4, runs: 4_000)
  }

  private func feed(_ defect: FaultyFeed.Defect?) async -> Exploration {
    let pages = PendingResponses { (page: Int) in
      page > (defect == .endless ? 1 : 2) ? [] : [2 * page, 2 * page + 1]
    }
    return await explore(
      FaultyFeed(defect: defect) { try await pages.next(for: $0) },
      checking: [
        .uniqueRows(\.items), .unchangedAfterFailure(\.items),
        .always { probe in
          let ids = probe.state.items.map(\.id)
          #expect(ids == Array(2..<2 + ids.count))
        },
      ]
    ) { probe in
      for _ in 1...3 { probe.send(.more) }
    }
  }

  @Test func `screens without a defect pass`() async {
    let (search, feed) = await (search(nil), feed(nil))
    #expect(search.failure == nil)
    #expect(feed.isComplete && feed.failure == nil)
  }

  @Test(arguments: FaultySearch.Defect.allCases)
  func `each defect of a search is found`(defect: FaultySearch.Defect) async throws {
    try await expectFound { await search(defect) }
  }

  @Test(arguments: FaultyFeed.Defect.allCases)
  func `each defect of a list is found`(defect: FaultyFeed.Defect) async throws {
    try await expectFound { await feed(defect) }
  }

  private func expectFound(_ explore: () async -> Exploration) async throws {
    var found: Exploration?
    await withKnownIssue { found = await explore() }
    let exploration = try #require(found)
    #expect(exploration.failure != nil && exploration.order.count <= 5)
  }
}
