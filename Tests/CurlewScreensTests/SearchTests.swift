import CurlewScreens
import CurlewTesting
import Testing

/// The nine rules of a search, on a virtual clock.
@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  let responses = PendingResponses<String, [String]>()
  let probe: ScreenProbe<Search<String>>

  struct Broken: Error {}

  init() {
    let responses = responses
    probe = ScreenProbe(Search { try await responses.next(for: $0) })
  }

  /// Types a text and waits for the debounce interval.
  func search(_ text: String) {
    probe.send(.term(text))
    probe.advance(by: .milliseconds(500))
  }

  func reply(_ result: Result<[String], any Error>, to index: Int = 0) {
    responses.reply(result, to: index)
    probe.settle()
  }

  // MARK: 1. Trimmed, debounced

  @Test func `term is trimmed`() {
    search("  akita \n")
    #expect(responses.requested == ["akita"])
    #expect(probe.state.query == "akita")
    #expect(probe.state.text == "  akita \n", "as it was typed, for the text field")
  }

  @Test func `search begins when the text has rested for the quiet time`() {
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(300))
    probe.send(.term("ak"))
    probe.advance(by: .milliseconds(499))
    #expect(responses.requested == [])
    #expect(probe.state.results == .idle)
    probe.advance(by: .milliseconds(1))
    #expect(responses.requested == ["ak"])
    #expect(probe.state.results == .loading(last: nil))
  }

  @Test func `debounce can be chosen`() {
    let responses = responses
    let probe = ScreenProbe(
      Search<String>(debounce: .milliseconds(50)) { try await responses.next(for: $0) })
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(49))
    #expect(responses.requested == [])
    probe.advance(by: .milliseconds(1))
    #expect(responses.requested == ["a"])
  }

  @Test func `typing key by key makes one search`() {
    for end in 1...11 {
      probe.send(.term(String("apple/swift".prefix(end))))
      probe.advance(by: .milliseconds(80))
    }
    probe.advance(by: .seconds(5))
    #expect(responses.requested == ["apple/swift"])
  }

  // MARK: 2. Empty is idle at once

  @Test(arguments: ["", "   ", "\n\t"])
  func `empty term cancels the search in flight`(empty: String) {
    search("a")
    probe.send(.term(empty))
    #expect(probe.state == Search<String>.State(text: empty))
    #expect(!probe.runner.isWorking)
    reply(.success(["late"]))
    #expect(probe.state == Search<String>.State(text: empty))
  }

  @Test func `empty term cancels the search that waits`() {
    probe.send(.term("a"))
    probe.send(.term(""))
    #expect(!probe.runner.isWorking)
    probe.advance(by: .seconds(5))
    #expect(responses.requested == [])
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `term is searched again after the field was emptied`() {
    search("a")
    reply(.success(["1"]))
    probe.send(.term(""))
    search("a")
    #expect(responses.requested == ["a", "a"])
  }

  // MARK: 3. Distinct

  @Test func `term equal to the last one is not searched again`() {
    search("a")
    reply(.success(["1"]))
    let states = probe.states.count
    search("ab")
    probe.send(.term("a"))
    #expect(responses.requested == ["a", "ab"])
    reply(.success(["2"]))
    probe.advance(by: .seconds(1))
    #expect(responses.requested == ["a", "ab", "a"])
    #expect(probe.states.count > states)
  }

  @Test func `deleting and retyping within the quiet time searches nothing`() {
    search("akita")
    reply(.success(["1"]))
    for text in ["akit", "aki", "akit", "akita"] {
      probe.send(.term(text))
      probe.advance(by: .milliseconds(100))
    }
    probe.advance(by: .seconds(5))
    #expect(responses.requested == ["akita"])
    #expect(probe.state.results == .content(["1"]))
    #expect(!probe.runner.isWorking)
  }

  @Test func `retyping the term in flight lets it go on`() {
    search("a")
    probe.send(.term("ab"))
    probe.send(.term("a"))
    probe.advance(by: .seconds(1))
    #expect(responses.requested == ["a"])
    reply(.success(["1"]))
    #expect(probe.state.results == .content(["1"]))
  }

  @Test func `term that failed is searched again`() {
    search("a")
    reply(.failure(Broken()))
    search("a")
    #expect(responses.requested == ["a", "a"])
  }

  @Test func `term that fails during the quiet time is searched again`() {
    search("a")
    probe.send(.term("ab"))
    probe.send(.term("a"))
    reply(.failure(Broken()))
    probe.advance(by: .milliseconds(500))
    #expect(responses.requested == ["a", "a"])
  }

  // MARK: 4. Submit and retry

  @Test func `submit searches at once`() {
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(100))
    probe.send(.submit)
    #expect(responses.requested == ["a"])
    probe.send(.submit)
    probe.advance(by: .seconds(5))
    #expect(responses.requested == ["a"], "it is in flight")
  }

  @Test func `submit of nothing does nothing`() {
    probe.send(.submit)
    probe.send(.retry)
    #expect(responses.requested == [])
    #expect(probe.states.count == 1)
  }

  @Test func `retry repeats a failed search`() {
    search("a")
    reply(.failure(Broken()))
    probe.send(.retry)
    #expect(probe.state.isLoading)
    #expect(responses.requested == ["a", "a"])
    reply(.success(["1"]))
    #expect(probe.state.results == .content(["1"]))
  }

  @Test func `retry of a search that did not fail does nothing`() {
    search("a")
    probe.send(.retry)
    reply(.success(["1"]))
    probe.send(.retry)
    #expect(responses.requested == ["a"])
  }

  // MARK: 5. Latest wins

  @Test func `slow response to an old term changes nothing`() {
    search("old")
    search("new")
    reply(.success(["new"]), to: 1)
    let states = probe.states
    #expect(probe.state.results == .content(["new"]))
    reply(.success(["old"]), to: 0)
    #expect(probe.states == states)
  }

  @Test func `slow error of an old term changes nothing`() {
    search("old")
    search("new")
    reply(.failure(Broken()), to: 0)
    #expect(probe.state.results == .loading(last: nil))
    #expect(probe.state.term == "new")
  }

  @Test func `new search cancels the one in flight`() async {
    let cancelled = PendingResponses<String, Void>()
    let probe = ScreenProbe(
      Search<String> { term in
        try await withTaskCancellationHandler {
          if term == "old" { try await cancelled.next(for: term) }
        } onCancel: {
          cancelled.reply(.success(()))
        }
        try Task.checkCancellation()
        return [term]
      })
    probe.send(.term("old"))
    probe.send(.submit)
    #expect(cancelled.waiting == ["old"])
    probe.send(.term("new"))
    probe.send(.submit)
    #expect(cancelled.waiting == [])
    #expect(probe.state.results == .content(["new"]))
  }

  @Test func `search in flight goes on until the new one begins`() {
    search("a")
    probe.send(.term("ab"))
    reply(.success(["1"]))
    #expect(probe.state.results == .content(["1"]))
    #expect(probe.state.term == "a")
  }

  // MARK: 6. The last results stay

  @Test func `last results stay while searching`() {
    search("a")
    reply(.success(["1"]))
    search("b")
    #expect(probe.state.results == .loading(last: ["1"]))
    #expect(probe.state.items == ["1"])
    #expect(probe.state.term == "b" && probe.state.shownTerm == "a")
    reply(.success(["2"]))
    #expect(probe.state.results == .content(["2"]))
    #expect(probe.state.shownTerm == "b")
  }

  // MARK: 7. Empty and failed

  @Test func `no results are empty with the term`() {
    search("zebra")
    reply(.success([]))
    #expect(probe.state.results == .empty)
    #expect(probe.state.term == "zebra")
    #expect(probe.state.items == [])
  }

  @Test func `error keeps the last results and the screen working`() {
    search("a")
    reply(.success(["1"]))
    search("b")
    reply(.failure(Broken()))
    #expect(probe.state.results.textOnly == .failed(LoadFailure(Broken()).textOnly, last: ["1"]))
    #expect(probe.state.items == ["1"])
    search("c")
    #expect(probe.state.results == .loading(last: ["1"]))
    reply(.success(["3"]))
    #expect(probe.state.results == .content(["3"]))
  }

  @Test func `empty after results shows none`() {
    search("a")
    reply(.success(["1"]))
    search("b")
    reply(.success([]))
    #expect(probe.state.items == [])
    search("c")
    #expect(probe.state.results == .loading(last: nil))
  }

  // MARK: 8. Loading never sticks

  @Test func `search that throws cancellation by itself has failed`() {
    search("a")
    reply(.failure(CancellationError()))
    #expect(probe.state.results.failure != nil)
    #expect(!probe.runner.isWorking)
  }

  @Test func `stopping the screen cancels its work`() {
    search("a")
    probe.send(.term("b"))
    let states = probe.states
    probe.runner.stop()
    reply(.success(["1"]))
    probe.advance(by: .seconds(5))
    probe.send(.term("c"))
    #expect(probe.states == states)
    #expect(responses.requested == ["a"])
    #expect(probe.clock.sleepers == 0)
  }

  // MARK: 9. Equal states once

  @Test func `equal states are delivered once`() {
    search("a")
    reply(.success(["1"]))
    probe.send(.term("a"))
    probe.send(.term(" a "))
    probe.send(.retry)
    for (earlier, later) in zip(probe.states, probe.states.dropFirst()) {
      #expect(earlier != later)
    }
    #expect(
      probe.states.map(\.results)
        == [.idle, .idle, .loading(last: nil), .content(["1"]), .content(["1"])],
      "the last with the white space")
  }

  // MARK: Hints

  @Test func `text that can not be searched yet asks nobody and says what to type`() {
    let responses = responses
    let probe = ScreenProbe(
      Search<String>(hint: { $0.contains("/") ? nil : "Type owner/name" }) {
        try await responses.next(for: $0)
      })
    probe.send(.term("app"))
    #expect(probe.state.hint == "Type owner/name")
    probe.send(.submit)
    probe.advance(by: .seconds(5))
    #expect(responses.requested == [])
    probe.send(.term("apple/swift"))
    #expect(probe.state.hint == nil)
    probe.send(.submit)
    probe.send(.term("apple"))
    #expect(probe.state.results == .idle)
    #expect(!probe.runner.isWorking)
  }
}
