import Curlew

/// The stubs of a transport or a server; the newest stub that matches a request applies.
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

  /// Returns the next response to a request, or `nil` if no stub matches.
  ///
  /// A stub's last response repeats.
  package mutating func response(for requested: RequestTarget) -> Response? {
    guard let index = entries.lastIndex(where: { $0.pattern.matches(requested) }) else {
      return nil
    }
    let response = entries[index].responses.first
    if entries[index].responses.count > 1 { entries[index].responses.removeFirst() }
    return response
  }

  /// Returns the message about a request that no stub matches, with the existing stubs.
  package func message(forUnmatched request: String) -> String {
    let known = entries.map(\.pattern.description).joined(separator: ", ")
    return "No stub matches \(request). Stubbed: \(known.isEmpty ? "nothing" : known)."
  }
}
