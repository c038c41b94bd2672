import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// Random orders of events, time and responses, with invariants for each of them.
@Suite(.timeLimit(.minutes(2)))
struct InterleavingTests {
  /// Returns the server's response to a term: some terms have no results.
  static func items(for term: String) -> [String] {
    term.count == 3 ? [] : ["1 of \(term)", "2 of \(term)"]
  }

  @Test func `every interleaving keeps the promises`() {
    tellStories("Search", count: 10_000) { generator in Self.problem(with: &generator) }
  }

  /// Runs one random story; returns its first problem.
  static func problem(with generator: inout SeededGenerator) -> String? {
    let responses = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Search { try await responses.next(for: $0) })
    for _ in 0..<generator.pick(5...40) {
      step(probe, responses, &generator)
      if let problem = violation(probe.state, responses) { return problem }
    }
    // Every story ends with an unchanged text and a reply to every request.
    probe.advance(by: .seconds(1))
    while !responses.waiting.isEmpty {
      respond(probe, responses, &generator, mayFail: false)
      if let problem = violation(probe.state, responses) { return problem }
    }
    if probe.state.isLoading { return "loading sticks: \(probe.state)" }
    if probe.runner.isWorking { return "work is left over" }
    if !probe.state.query.isEmpty, probe.state.term != probe.state.query {
      return "the text \(probe.state.query) was never searched: \(probe.state)"
    }
    return repeated(in: probe.states).map { "delivered twice: \($0)" }
  }

  static func step(
    _ probe: ScreenProbe<Search<String>>, _ responses: PendingResponses<String, [String]>,
    _ generator: inout SeededGenerator
  ) {
    switch generator.pick(0...9) {
    case 0...3:
      probe.send(.term(generator.pick(["", "a", "ab", "abc", "b", " a ", "bcd", "abcd"])))
    case 4: probe.send(.submit)
    case 5: probe.send(.retry)
    case 6...7: probe.advance(by: .milliseconds(generator.pick(1...600)))
    default: if !responses.waiting.isEmpty { respond(probe, responses, &generator) }
    }
  }

  static func respond(
    _ probe: ScreenProbe<Search<String>>, _ responses: PendingResponses<String, [String]>,
    _ generator: inout SeededGenerator, mayFail: Bool = true
  ) {
    let place = generator.pick(0...responses.waiting.count - 1)
    let fails = mayFail && generator.chance(oneIn: 3)
    responses.reply(
      fails ? .failure(Broken()) : .success(items(for: responses.waiting[place])), to: place)
    probe.settle()
  }

  /// Returns a violated invariant; checked after every step.
  static func violation(
    _ state: Search<String>.State, _ responses: PendingResponses<String, [String]>
  ) -> String? {
    if state.query.isEmpty, state.results != .idle { return "not idle without a text: \(state)" }
    switch state.results {
    case .idle: return state.term == nil ? nil : "idle with a term: \(state)"
    case .loading:
      guard let term = state.term, responses.requested.last == term else {
        return "loading another request than the last: \(state)"
      }
      return responses.waiting.contains(term) ? nil : "loading after the response: \(state)"
    case .content(let items, _):
      return items == state.term.map(Self.items(for:)) ? nil : "another term's results: \(state)"
    case .empty:
      return state.term.map(Self.items(for:)) == [] ? nil : "empty, but it has results: \(state)"
    case .failed: return state.term == nil ? "failed without a term: \(state)" : nil
    }
  }
}
