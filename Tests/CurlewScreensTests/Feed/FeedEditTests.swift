import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Edits of a feed's items while pages load and writes run.
@Suite(.timeLimit(.minutes(1)))
struct FeedEditTests {
  typealias State = Feed<Entry>.State

  private static let pages = Scenario.all(
    after: "load; page 1 2 3 next 2 of 5;",
    """
    a page that arrives does not undo an edit
      more; like 2; update 3 x; page 3 4 next 3; shows 1 2♥ 3x 4; done like 2; shows 1 2♥ 3x 4
    a page does not bring back what was changed since it was asked for
      more; (add 9; done add 9; remove 9; page 2 4; shows 1 2 3 4
            |like 2; done like 2; update 2 y; page 2 4; shows 1 2y 3 4
            |delete 2; done delete 2; insert 2:back; page 2 4; shows 2back 1 3 4)
    a refresh does not undo an edit whose write is running
      like 2; delete 3; add 9; shows 9+ 1 2♥; refresh; page 1 2 3 of 3; shows 9+ 1 2♥; total 3
      done like 2; done delete 3; done add 9; shows 9+ 1 2♥
    a refresh that was read before the write ended does not undo it, a later one does
      refresh; add 9; like 9; like 2; delete 3; done add 9; done like 9; done delete 3; done like 2
      page 1 2 3; shows 9+♥ 1 2♥; refresh; page 1 2:! 3; shows 1 2! 3
    insertions that were written during a refresh stay in their order
      refresh; add 11..16; done add 11..16; page 1; shows 16+ 15+ 14+ 13+ 12+ 11+ 1
    an edit is made anew on what a refresh brings, and rolled back to that
      like 2; refresh; page 2:server 1; shows 2server♥ 1; refused like 2; shows 2server 1
    a change that waits for no write is undone by a refresh
      update 1 x; refresh; page 1 2; shows 1 2
    a change during a refresh is undone by the next refresh
      refresh; update 1 x; page 1 2; shows 1x 2; refresh; page 1 2; shows 1 2
    a removal during a refresh is not undone by it
      refresh; remove 1; insert 9; page 1 2; shows 9 2
    a settled edit that waits for another one is undone by a later refresh
      like 1; delete 2; done delete 2; shows 1♥ 3; refresh; page 1 2 3; shows 1♥ 2 3
      done like 1; shows 1♥ 2 3
    a list whose items all went goes on, without those removed here
      remove 1..3; more; loads first; page 1..3 next 2; page 4; shows 4
    """)

  private static let rollbacks = Scenario.all(
    after: "load; page 1 2 3 next 2 of 5;",
    """
    a rollback is per edit
      like 1; like 2; delete 3; refused like 1; shows 1 2♥; refused delete 3; shows 1 2♥ 3
      done like 2; shows 1 2♥ 3
    a later edit of an item stays without the one that failed
      like 1; append 1 n until rename; shows 1♥n 2 3; refused like 1; shows 1n 2 3
      commit rename; shows 1n 2 3
    a removal that fails after other edits comes back where it was
      delete 2; add 9; delete 1; shows 9+ 3; refused delete 2; shows 9+ 2 3; done delete 1
      refused add 9; shows 2 3; total 4
    edits with one name are settled in their order
      like 1; like 1; shows 1♥♥ 2 3; done like 1; refused like 1; shows 1♥ 2 3
    a write settles its own edit only
      add 9; sourceChanged; page 9 2; like 9; refused add 9; shows 9♥ 2; refused like 9; shows 9 2
    an inserted item may be changed and removed before it is written
      add 9; like 9; update 9 new; shows 9new♥ 1 2 3; delete 9; shows 1 2 3; done add 9
      done like 9; refused delete 9; shows 9new♥ 1 2 3
    a hidden item may be changed for good
      delete 2; delete 3; update 2 x; remove 3; refused delete 2; refused delete 3; shows 1 2x
    insertions at the end stay there
      add 8 at 3; add 9 at 4; shows 1 2 3 8+ 9+; (done add 8; done add 9|done add 9; done add 8)
      shows 1 2 3 8+ 9+
    an insertion at the end stays there without the one before
      add 8 at 3; add 9 at 4; refused add 8; shows 1 2 3 9+; remove 3; shows 1 2 9+
    a row inserted after a pending one stays there
      insert 8 until first; insert 9 at 1; shows 8 9 1 2 3; rollBack first; shows 9 1 2 3
    a row inserted after an item and a pending one stays behind the item
      insert 8 at 2 until first; insert 9 at 3 until second; shows 1 2 8 9 3; rollBack first
      shows 1 2 9 3; commit second; shows 1 2 9 3
    a failed insertion stays and can be sent again
      insert 9:+ until send; keep send; shows 9+ 1 2 3; failed 9; like 9; refresh; page 1 2
      shows 9+♥ 1 2; failed 9; insert 9:again until send; shows 9again♥ 1 2; failed nothing
      commit send; refused like 9; shows 9again 1 2
    a failed insertion can be discarded, and another one has its own write
      insert 9 until send; insert 8 until send; keep send; commit send; shows 8 9 1 2 3; failed 9
      rollBack send; shows 8 1 2 3; failed nothing
    a failed insertion is not in another list
      insert 9 until send; keep send; sourceChanged; page 1 9; shows 1 9; failed nothing
    another list keeps the edits of items that are in it
      like 2; add 9; sourceChanged; shows nothing; page 2 4; shows 2♥ 4; refused like 2; done add 9
      shows 2 4
    """)

  private static let totals = Scenario.all(
    after: "load; page 1 2 3 next 2 of 10;",
    """
    a removal during a next page counts once
      more; remove 2; total 9; (page 4 5 next 3 of 10; total 9|page 4 5 next 3 of 9; total 9
                               |page 4 5 next 3; total 9|page 4 5 next 3 of 20; total 20)
      shows 1 3 4 5
    a removal during a refresh counts once
      refresh; remove 2; total 9; (page 1 2 3 next 2 of 10; total 9|page 1 2 3 next 2 of 9; total 9
                                  |page 1 2 3 next 2|page 1 2 3 next 2 of 20; total 20)
      shows 1 3
    an insertion during a transfer counts once
      more; insert 9; total 11; page 4 5 next 3 of (10|11); shows 9 1 2 3 4 5; total 11
    """)

  private static let first = Scenario.all(
    """
    a first page keeps what was inserted while it loaded
      load; add 9; page 1; shows 9+ 1; done add 9; shows 9+ 1
    """)

  @Test(arguments: pages + rollbacks + totals + first)
  func `edits of a list stay as their scenario says`(scenario: Scenario) throws {
    try scenario.run(FeedSteps().perform)
  }

  @Test func `paged search keeps edits while its term changes`() {
    let probe = ScreenProbe(PagedSearch<Entry> { _, _ in Page([1, 2]) })
    probe.send(.term("a"))
    probe.send(.submit())
    var state = probe.state
    state.list.update(1, until: "like") { $0.text = "♥" }
    state.list.insert(9, until: "add")
    var work = Work<PagedSearch<Entry>.State>()
    PagedSearch<Entry> { _, _ in Page([1, 2]) }.handle(.term(""), &state, &work)
    #expect(state.list.items.isEmpty)
    state.list.rollBack("add")
    #expect(state.list != .init(), "the like is still running")
    state.list.commit("like")
    #expect(state.list.items.isEmpty)
    #expect(state.list == .init())
  }

  @Test func `events in one change start one transfer`() {
    struct Both: Screen {
      let feed: Feed<Entry>
      let initial = State()
      func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
        for event in [Feed<Entry>.Event.load, .load, .sourceChanged, .load, .refresh] {
          feed.handle(event, &state, &work)
        }
      }
    }
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Both(feed: Feed { try await pages.next(for: $0) }))
    probe.send(())
    #expect(
      probe.steps == [.started], "the operation of the first write is not called")
  }
}
