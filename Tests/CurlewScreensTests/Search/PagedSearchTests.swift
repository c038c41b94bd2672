import CurlewScreens
import CurlewTesting
import Testing

/// The pages of a search: a feed of the term's results, beside a text field.
@Suite(.timeLimit(.minutes(1)))
struct PagedSearchTests {
  private static let scenarios =
    Scenario.all(
      """
      an empty term cancels the page in flight
        search a; page 1 2 next 2; list more; (type; only|type ␣␣␣; only ␣␣␣); works false; mark
        late page 3 4; unchanged
      retyping the term lets its page in flight go on
        search a; page 1 2 next 2; list more; type ab; search a; loads a/2; page 3 4; shows 1..4
      a term of which a later page failed is not searched again
        search a; page 1 2 next 2; list more; fail; search a␣; requested a a/2; status failed next
      events of the list of no text do nothing
        list (load|more|refresh|retry|restore 2); requested nothing; went idle
      a submit can begin at a page
        type a; submit 3; requested a/3; start 3; submit 3; requested a/3; submit 4; loads a/4
        page 1 2; start 4; list refresh; loads a/4
      the next search begins with the first page again
        type a; submit 3; page 21..30; search b; loads b; start first
      a slow page of an old term changes nothing
        search old; page 1 2 next 2; list more; search new; loads new; late page 3 4
        status loading first; page 11 12; shows 11 12
      the last results stay, without their next page and total
        search a; page 1 2 next 2 of 9; search b; status loading first; shows 1 2; canLoadMore false
        page 11 12; shows 11 12; total nothing
      the list of an older term is never gone on with
        search a; page 1 2 next of-a; search b; fail; status failed first; list more
        list appeared 2; requested a b; list (refresh|retry); status loading first; fail
        status failed first; canLoadMore false; list more; requested a b b
        search b; requested a b b b
      results of the list's own load belong to the new text
        search a; page 1 2 next 2; search b; fail; shownTerm a
        list (retry|load|refresh|sourceChanged|restore 2); page 11 12; shows 11 12; term b; shownTerm b
      equal states are delivered once
        search a; page 1 2; search ␣a␣; list retry; list load; list appeared 2
        went idle, idle, loading, content, content
      """)
    + Scenario.all(
      after: "type a; submit; page 1..10 next 2 of 30;",
      """
      results go on page by page to their end
        list appeared 5; requested a; list appeared 6; loads a/2; page 8..20 next 3 of 30
        shows 1..20; list more; page 21..30 of 30; shows 1..30; status ended; total 30
      a first page without items is followed by the next one
        type b; submit; page next 2; shows 1..10; loads b/2; page 41 42; shows 41 42
      a page in flight goes on while the user types
        list more; type ab; page 11..20 next 3; shows 1..20; term a; text ab; wait 500; loads ab
      list events while a newer text waits do not lose its search
        type ab; wait 300; list (more|appeared 10|refresh|retry|load|restore 5); requested a
        shows 1..10; wait 200; requested a ab; page 41 42; shows 41 42
      a list goes on when its term is typed again
        type ab; type a; list more; loads a/2; wait 1000; page 11..20; shows 1..20; requested a a/2
        works false
      opening elsewhere keeps the term
        list restore 3; loads a/3; shows nothing; page 21..30; start 3
      """)

  @Test(arguments: scenarios) func `a paged search does as its scenario says`(scenario: Scenario)
    throws
  {
    try scenario.run(SearchSteps(PagedSearch<Entry>.self).perform)
  }
}
