import CurlewScreens
import CurlewTesting
import Testing

/// Sources that repeat items: no duplicates, and no list that gets stuck.
@Suite(.timeLimit(.minutes(1)))
struct FeedRepetitionTests {
  private static let scenarios =
    Scenario.all(
      after: "load;",
      """
      an item that a page repeats is there once
        page 1 2 1 3 3 next 2; shows 1 2 3
      an item that comes again on a later page stays where and as it was
        page 1:one 2:two next 2; more; page 2:changed 3:three next 3; shows 1one 2two 3three
      an item after a refresh is the new one and there once
        page 1:one 2:two next 2; refresh; page 2:new 1:new next 2; more; page 1:newer 3:three
        shows 2new 1new 3three
      a source that leads in a circle ends
        page 1 2 next a; more; page 3 4 next b; more; page 5 6 next a; is ended; shows 1..6
        more; requested first a b
      a circle back to the first page ends
        page 2 3 next 2; more; page 4 5 next 3; more; page 6 7 next 4; more; page 8 9 next 1
        more; page 2 3 next 2; shows 2..9; is ended
      a refresh forgets the way of the list before
        page 1 2 next a; more; page 3 4 next b; refresh; page 1 2 next a; is content; next a
      a first page without items is followed by the next one
        page next a partial skipping lost; is loading first; page 1 2 next b skipping lost-too
        is content; shows 1 2; partial true; skipped lost lost-too; next b
      a list of empty pages is not taken for an empty one
        page next 2; page next 3; page next 4; page next 5; page next 6; loads nothing; is content
        canLoadMore true; more; page of 0; is empty
      empty pages up to the end are an empty list
        page next 2; page; is empty
      an error behind an empty first page is retried from there
        page next 2; fail; is failed next; retry; requested first 2 2; page 1 2; is ended
      """)
    + Scenario.all(
      after: "load; page 1..10 next 2;",
      """
      a page of known items is followed by the next one
        appeared 10; page 6..10 next 3; is loading next; requested first 2 3; page 11..20 next 4
        shows 1..20; is content; requested first 2 3; atOnce 1
      a page with something new is enough
        more; page 10 11 next 3; loads nothing; is content
      a source that never brings anything new is asked five times at most
        more; loads 2; page 1..10 next 3; loads 3; page 1..10 next 4; loads 4; page 1..10 next 5
        loads 5; page 1..10 next 6; loads 6; page 1..10 next 7; loads nothing; is content
        shows 1..10; canLoadMore true; more; loads 7
      an error behind a page of known items is retried from there
        more; page 1..10 next 3; fail; is failed next; shows 1..10; retry; requested first 2 3 3
        page 11 12; shows 1..12
      a superseded transfer loads nothing more
        more; refresh; late page 1..10 next 3; requested first 2 first; atOnce 1
      """)

  @Test(arguments: scenarios) func `a source that repeats items leads to the end`(
    scenario: Scenario
  ) throws {
    try scenario.run(FeedSteps().perform)
  }
}
