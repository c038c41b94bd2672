extension Search {
  /// The state of a search screen.
  public struct State: Equatable, Sendable {
    private(set) var field = SearchField()
    private(set) var awaited = Awaited()
    /// The text that ``results`` are of.
    @Unobserved private var shown: String?
    /// The results of ``term``; while they are loading and after a failure, the previous results.
    public private(set) var results: Loadable<[Item]> = .idle

    /// The text in the field, exactly as typed, so that it can back a text field.
    public var text: String { field.text }
    /// The text to search for: ``text`` without leading and trailing white space.
    public var query: String { field.query }
    /// A hint about what to type; `nil` when the text can be searched.
    public var hint: String? { field.hint }
    /// The last text searched for, to which ``results`` belong once they are loaded.
    public var term: String? { field.term }
    /// The items to show: the results, or the previous ones.
    public var items: [Item] { results.latest ?? [] }

    package var isLoading: Bool { results.isLoading }

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// - Parameters:
    ///   - text: The text in the field.
    ///   - term: The last text searched for; by default the text in the field, if there are
    ///     results.
    ///   - results: The results.
    ///   - hint: A hint about what to type.
    public init(
      text: String = "", term: String? = nil, results: Loadable<[Item]> = .idle,
      hint: String? = nil
    ) {
      field = SearchField(text: text, hint: hint, term: term)
      if term == nil, results != .idle { field.term = field.query }
      self.results = results
      shown = field.term
    }
  }
}

extension Search.State {
  /// Changes the text; returns whether it can be searched.
  mutating func change(to text: String, hint: (String) -> String?) -> Bool {
    guard !field.change(to: text, hint: hint) else { return true }
    results = .idle
    return false
  }

  /// Whether the text has no results and none are loading.
  var isWorthSearching: Bool { field.isNew || results.failure != nil }

  /// Whether a search for another text is about to replace a failed one.
  var isSuperseded: Bool { field.isNew && results.failure != nil }

  /// Whether the results for the current text are loading.
  var isSearchingForText: Bool { results.isLoading && !field.isNew }

  mutating func beginSearching(for term: String, _ ticket: LoadTicket) {
    awaited.begin(ticket)
    field.term = term
    results.startLoading()
  }

  /// Shows results while the search goes on.
  mutating func show(_ found: Dated<[Item]>) {
    shown = field.term
    results.update(with: found)
  }

  /// Ends the search with the last results that it found.
  mutating func finishSearching(
    _ result: Result<Dated<[Item]>?, any Error>, _ ticket: LoadTicket
  ) {
    awaited.end(ticket)
    if case .success(.some) = result { shown = field.term }
    results.finishLoading(withLast: result)
  }

  /// Ends a search that was cancelled: what was there before it stays.
  mutating func cancelSearching(_ ticket: LoadTicket) {
    guard awaited.end(ticket), results.isLoading else { return }
    results.cancelLoading()
    if results.latest == nil || shown != field.term { field.term = nil }
  }
}
