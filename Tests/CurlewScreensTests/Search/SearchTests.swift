import CurlewScreens
import CurlewTesting
import Testing

/// The nine rules of a search, with and without pages, on a virtual clock.
@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  @Test func `the newest text is searched when it has rested`() {
    let found = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Search { try await found.next(for: $0) })
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(300))
    probe.send(.term("ak"))
    probe.advance(by: .milliseconds(499))
    #expect(found.requested == [])
    probe.advance(by: .milliseconds(1))
    #expect(found.requested == ["ak"])
    #expect(probe.state.results == .loading(last: nil))
    found.reply(.success(["Akita"]))
    probe.settle()
    #expect(probe.state.results == .content(["Akita"]))
  }

  static let scenarios = Scenario.all(
    """
    1: a term is trimmed, and its text is as it was typed
      search ␣␣akita␣↵; requested akita; query akita; text ␣␣akita␣↵
    1: a search begins when the text has rested for the quiet time
      type a; wait 300; type ak; wait 499; requested nothing; is idle; wait 1; requested ak
      is loading
    1: typing key by key makes one search
      type s; wait 80; type sw; wait 80; type swi; wait 80; type swif; wait 5000; requested swif
    2: an empty term cancels the search in flight
      search a; (type; only|type ␣␣␣; only ␣␣␣|type ↵⇥; only ↵⇥); works false; mark; late page 1
      unchanged; is idle
    2: an empty term cancels the search that waits
      type a; type; works false; wait 5000; requested nothing; sleepers 0
    2: a term is searched again after the field was emptied
      search a; page 1; type; search a; requested a a
    3: a term equal to the last one is not searched again
      search a; page 1; type ab; search a; requested a; is content; works false
    3: a term that was left is searched again
      search a; page 1; search ab; type a; requested a ab; page 2; wait 1000; requested a ab a
    3: deleting and retyping within the quiet time searches nothing
      search akita; page 1; type akit; wait 100; type aki; wait 100; type akit; wait 100
      type akita; wait 5000; requested akita; is content; shows 1; works false
    3: retyping the term in flight lets it go on
      search a; type ab; type a; wait 1000; requested a; page 1; is content; shows 1
    3: a term that failed is searched again
      search a; fail; search a; requested a a
    3: a term that fails during the quiet time is searched again
      search a; type ab; type a; fail; wait 500; requested a a
    4: a submit searches at once, and once
      type a; wait 100; submit; requested a; submit; wait 5000; requested a
    4: a submit of nothing does nothing
      mark; submit; retry; requested nothing; went idle
    4: a retry repeats a failed search
      search a; fail; retry; is loading; requested a a; page 1; is content; shows 1
    4: a retry of a search that did not fail does nothing
      search a; retry; page 1; retry; requested a
    5: a slow response to an old term changes nothing
      search old; search new; loads new; atOnce 1; page 11; shows 11; mark; late page 1; unchanged
      shows 11
    5: a slow error of an old term changes nothing
      search old; search new; late fail; is loading; term new
    5: a search in flight goes on until the new one begins
      search a; type ab; page 1; is content; term a
    6: the last results stay while searching
      search a; page 1; search b; is loading; shows 1; term b; shownTerm a
      page 2; is content; shows 2; shownTerm b
    7: no results are empty with the term
      search zebra; page; is empty; term zebra; shows nothing
    7: an error keeps the last results and the screen working
      search a; page 1; search b; fail; is failed; shows 1; shownTerm a
      search c; is loading; shows 1; page 3; is content; shows 3
    7: empty results after others show none
      search a; page 1; search b; page; shows nothing; search c; is loading; shows nothing
    8: a search that throws a cancellation by itself has failed
      search a; cancel; is failed; works false
    8: stopping the screen cancels its work
      search a; type b; mark; stop; late page 1; wait 5000; type c; unchanged; requested a; sleepers 0
    9: equal states are delivered once, the last with the white space
      search a; page 1; type a; search ␣a␣; retry; went idle, idle, loading, content, content
    a text that can not be searched yet asks nobody and says what to type
      type ap?; hint Type-more; submit; wait 5000; requested nothing; type ap; hint nothing; submit
      requested ap; type a?; is idle; works false
    """)

  @Test(arguments: scenarios) func `a search follows its rules`(scenario: Scenario) throws {
    try scenario.run(SearchSteps(Search<Entry>.self).perform)
  }

  @Test(arguments: scenarios) func `a paged search follows them`(scenario: Scenario) throws {
    try scenario.run(SearchSteps(PagedSearch<Entry>.self).perform)
  }

  @Test func `the quiet time can be chosen`() throws {
    let rule = "debounce\n  type a; wait 49; requested nothing; wait 1; requested a"
    let debounce = Duration.milliseconds(50)
    for scenario in Scenario.all(rule) {
      try scenario.run(SearchSteps(Search<Entry>.self, debounce: debounce).perform)
      try scenario.run(SearchSteps(PagedSearch<Entry>.self, debounce: debounce).perform)
    }
  }
}
