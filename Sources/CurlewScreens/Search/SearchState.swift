import Foundation

extension Search {
  /// What a search screen shows.
  public struct State: Equatable, Sendable {
    /// The text in the field, trimmed.
    public private(set) var text = ""
    /// What to type, while the text can't be searched yet.
    public private(set) var hint: String?
    /// The text that was searched last: what ``results`` are of, or will be.
    public private(set) var term: String?
    /// The results of ``term``; while they are awaited and after a failure, the last ones.
    public private(set) var results: Loadable<[Item]> = .idle
    /// Whether there is more than the items of ``results``.
    public private(set) var isPartial = false

    /// The items to show: the results, or the last ones.
    public var items: [Item] { results.latest ?? [] }
    /// Whether an answer is awaited.
    public var isLoading: Bool { results.isLoading }

    /// Creates the state of a screen that was not touched yet.
    public init() {}
  }
}

extension Search.State {
  /// Takes a changed text and returns the hint that it calls for.
  mutating func change(to newText: String, hint makeHint: (String) -> String?) -> String? {
    text = newText.trimmingCharacters(in: .whitespacesAndNewlines)
    hint = text.isEmpty ? nil : makeHint(text)
    if text.isEmpty || hint != nil {
      results = .idle
      isPartial = false
      term = nil
    }
    return hint
  }

  /// Whether the text can be searched.
  var isSearchable: Bool { !text.isEmpty && hint == nil }

  /// Whether the text has no answer, and none on its way.
  var isWorthSearching: Bool { term != text || results.failure != nil }

  /// Whether the answer to just this text is on its way.
  var isSearchingForText: Bool { isLoading && term == text }

  mutating func beginSearching(for newTerm: String) {
    term = newTerm
    results.begin()
  }

  mutating func finishSearching(_ result: Result<SearchResults<Item>, any Error>) {
    if case .success(let found) = result { isPartial = found.isPartial }
    results.finish(result.map(\.items))
  }
}
