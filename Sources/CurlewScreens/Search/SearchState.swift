extension Search {
  /// What a search screen shows.
  public struct State: Equatable, Sendable {
    private(set) var field = SearchField()
    /// The results of ``term``; while they are awaited and after a failure, the last ones.
    public private(set) var results: Loadable<[Item]> = .idle
    /// Whether there is more than the items of ``results``.
    public private(set) var isPartial = false
    /// What is wrong with entries that ``results`` leave out, a sentence each.
    public private(set) var damages: [String] = []

    /// The text in the field as it was typed, so that it can back a text field.
    public var text: String { field.text }
    /// The text to search: ``text`` without white space around it.
    public var query: String { field.query }
    /// What to type, while the text can't be searched yet.
    public var hint: String? { field.hint }
    /// The text that was searched last: what ``results`` are of, or will be.
    public var term: String? { field.term }
    /// The items to show: the results, or the last ones.
    public var items: [Item] { results.latest ?? [] }
    /// Whether results are awaited.
    public var isLoading: Bool { results.isLoading }

    /// Creates the state of a screen that was not touched yet, or any other for a preview or a
    /// test.
    ///
    /// - Parameters:
    ///   - text: The text in the field.
    ///   - term: The text that was searched last; by default that in the field, where there are results.
    ///   - results: The results.
    ///   - isPartial: Whether there is more than these results.
    ///   - damages: What is wrong with entries that the results leave out.
    ///   - hint: What to type.
    public init(
      text: String = "", term: String? = nil, results: Loadable<[Item]> = .idle,
      isPartial: Bool = false, damages: [String] = [], hint: String? = nil
    ) {
      field = SearchField(text: text, hint: hint, term: term)
      if term == nil, results != .idle { field.term = field.query }
      self.results = results
      self.isPartial = isPartial
      self.damages = damages
    }
  }
}

extension Search.State {
  /// Takes a changed text; returns whether it can be searched.
  mutating func change(to text: String, hint: (String) -> String?) -> Bool {
    guard !field.change(to: text, hint: hint) else { return true }
    results = .idle
    (isPartial, damages) = (false, [])
    return false
  }

  /// Whether the text has no results, and none on their way.
  var isWorthSearching: Bool { field.isNew || results.failure != nil }

  /// Whether another text is going to be searched in the place of one that failed.
  var isSuperseded: Bool { field.isNew && results.failure != nil }

  /// Whether the results of just this text are on their way.
  var isSearchingForText: Bool { isLoading && !field.isNew }

  mutating func beginSearching(for term: String) {
    field.term = term
    results.begin()
  }

  mutating func finishSearching(_ result: Result<SearchResults<Item>, any Error>) {
    if case .success(let found) = result {
      (isPartial, damages) = (found.isPartial, found.damages)
    }
    results.finish(result.map(\.items))
  }
}
