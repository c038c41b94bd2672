import Curlew

/// Which requests are answered, and by what: the newest entry that matches wins.
package struct StubTable<Answer: Sendable>: Sendable {
  private struct Entry {
    let pattern: StubPattern
    var answers: ArraySlice<Answer>
  }

  private var entries: [Entry] = []

  package init() {}

  package mutating func add(_ pattern: StubPattern, _ answers: [Answer]) {
    entries.append(Entry(pattern: pattern, answers: answers[...]))
  }

  /// Returns the next answer to a request; the last one of an entry repeats.
  package mutating func answer(to asked: AskedTarget) -> Answer? {
    guard let index = entries.lastIndex(where: { $0.pattern.matches(asked) }) else { return nil }
    let answer = entries[index].answers.first
    if entries[index].answers.count > 1 { entries[index].answers.removeFirst() }
    return answer
  }

  /// Says that nothing answers a request, and what would be answered.
  package func complaint(about request: String) -> String {
    let known = entries.map(\.pattern.description).joined(separator: ", ")
    return "Nothing stubs \(request). Stubbed: \(known.isEmpty ? "nothing at all" : known)."
  }
}
