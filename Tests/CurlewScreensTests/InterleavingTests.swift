import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// Random orders of events, time and responses, with what must hold in each of them.
@Suite(.timeLimit(.minutes(2)))
struct InterleavingTests {
  struct Broken: Error {}

  /// What the server responds to a term: some terms have no results.
  static func items(for term: String) -> [String] {
    term.count == 3 ? [] : ["1 of \(term)", "2 of \(term)"]
  }

  @Test func everyInterleavingKeepsThePromises() {
    tellStories("Search", count: 10_000) { generator in Self.problem(with: &generator) }
  }

  /// Runs one random story; returns what went wrong.
  static func problem(with generator: inout SeededGenerator) -> String? {
    let responses = PendingResponses<String, [String]>()
    let probe = ScreenProbe(Search { try await responses.next(for: $0) })
    for _ in 0..<Int.random(in: 5...40, using: &generator) {
      step(probe, responses, &generator)
      if let problem = violation(probe.state, responses) { return problem }
    }
    // The end of every story: the text rests, and all that was asked is answered.
    probe.advance(by: .seconds(1))
    while !responses.waiting.isEmpty {
      let place = Int.random(in: 0..<responses.waiting.count, using: &generator)
      responses.reply(.success(items(for: responses.waiting[place])), to: place)
      probe.settle()
      if let problem = violation(probe.state, responses) { return problem }
    }
    if probe.state.isLoading { return "loading sticks: \(probe.state)" }
    if probe.runner.isWorking { return "work is left over" }
    if !probe.state.query.isEmpty, probe.state.term != probe.state.query {
      return "the text \(probe.state.query) was never searched: \(probe.state)"
    }
    for (earlier, later) in zip(probe.states, probe.states.dropFirst()) where earlier == later {
      return "delivered twice: \(later)"
    }
    return nil
  }

  static func step(
    _ probe: ScreenProbe<Search<String>>, _ responses: PendingResponses<String, [String]>,
    _ generator: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...3:
      let texts = ["", "a", "ab", "abc", "b", " a ", "bcd", "abcd"]
      probe.send(.term(texts.randomElement(using: &generator) ?? ""))
    case 4: probe.send(.submit)
    case 5: probe.send(.retry)
    case 6...7: probe.advance(by: .milliseconds(Int.random(in: 1...600, using: &generator)))
    default:
      guard !responses.waiting.isEmpty else { return }
      let place = Int.random(in: 0..<responses.waiting.count, using: &generator)
      let fails = Int.random(in: 0..<3, using: &generator) == 0
      responses.reply(
        fails ? .failure(Broken()) : .success(items(for: responses.waiting[place])), to: place)
      probe.settle()
    }
  }

  /// What must hold after every step.
  static func violation(
    _ state: Search<String>.State, _ responses: PendingResponses<String, [String]>
  ) -> String? {
    if state.query.isEmpty, state.results != .idle { return "not idle without a text: \(state)" }
    switch state.results.phase {
    case .idle: return state.term == nil ? nil : "idle with a term: \(state)"
    case .loading:
      guard let term = state.term, responses.requested.last == term else {
        return "loading what was not asked last: \(state)"
      }
      return responses.waiting.contains(term) ? nil : "loading what was answered: \(state)"
    case .content(let items):
      return items == state.term.map(Self.items(for:)) ? nil : "another term's results: \(state)"
    case .empty:
      return state.term.map(Self.items(for:)) == [] ? nil : "empty, but it has results: \(state)"
    case .failed: return state.term == nil ? "failed without a term: \(state)" : nil
    }
  }
}
