import Curlew

/// Which requests are answered, and by what: the newest entry that matches wins.
package struct StubTable<Response: Sendable>: Sendable {
  private struct Entry {
    let pattern: StubPattern
    var responses: ArraySlice<Response>
  }

  private var entries: [Entry] = []

  package init() {}

  package mutating func add(_ pattern: StubPattern, _ responses: [Response]) {
    entries.append(Entry(pattern: pattern, responses: responses[...]))
  }

  /// Returns the next response to a request; the last one of an entry repeats.
  package mutating func response(for requested: RequestTarget) -> Response? {
    guard let index = entries.lastIndex(where: { $0.pattern.matches(requested) }) else {
      return nil
    }
    let response = entries[index].responses.first
    if entries[index].responses.count > 1 { entries[index].responses.removeFirst() }
    return response
  }

  /// Says that nothing responds to a request, and what would be answered.
  package func complaint(about request: String) -> String {
    let known = entries.map(\.pattern.description).joined(separator: ", ")
    return "Nothing stubs \(request). Stubbed: \(known.isEmpty ? "nothing at all" : known)."
  }
}
