import CurlewScreens
import CurlewTesting
import Testing

/// A refreshed list: which items stay, which loads it supersedes, and a source that had stopped early.
@Suite(.timeLimit(.minutes(1)))
struct FeedRefreshTests {
  private static let scenarios =
    Scenario.all(
      after: "load; page 1..10 next 2 of 30 skipping old; more; page 11..20 next 3 of 30;",
      """
      items stay until the response
        refresh; is loading refresh; shows 1..20; total 30; page 30 1 2 next b of 31; shows 30 1 2
        total 31; skipped nothing; is content; more; loads b
      a refresh supersedes a page whose late response changes nothing
        more; loads 3; refresh; loads first; mark; late page 21..30; unchanged
        page 41 42; shows 41 42
      an error keeps everything
        refresh; fail; is failed refresh; shows 1..20; total 30; skipped old; next 3
      a failed refresh is retried as one
        refresh; fail; retry; is loading refresh; shows 1..20; page 1..3; shows 1..3
      a list goes on where it was after a failed refresh
        refresh; fail; canLoadMore true; more; loads 3; page 21..30; shows 1..30
      a refresh of an empty list is a first page and fails as one
        refresh; page; is empty; refresh; is loading first; fail; is failed first
        refresh; page 1 2; shows 1 2
      a source that gave up is asked again, once
        refresh; page 1..10 next 2 partial; partial true; retry; is loading refresh; shows 1..10
        retry; loads first; page 1..12 next 2; partial false; shows 1..12
      a list is partial if any page is
        more; page 21..25 next 4 partial; more; page 26..30; partial true; is ended
      an empty list of a source that gave up is asked for again
        refresh; page partial; is empty; retry; is loading first; page 1 2; shows 1 2; partial false
      the damages of all pages are collected
        more; page 21..25 next 4 skipping new newer; skipped old new newer
      """)
    + Scenario.all(
      """
      a refresh of an untouched list loads its first page
        refresh; is loading first
      """)

  @Test(arguments: scenarios) func `a refresh does as its scenario says`(scenario: Scenario) throws
  {
    try scenario.run(FeedSteps().perform)
  }
}
