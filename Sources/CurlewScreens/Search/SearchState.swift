public import Foundation

extension Search {
  /// The state of a search screen.
  public struct State: Equatable, Sendable {
    private(set) var field = SearchField()
    private(set) var awaited = Awaited()
    /// The text that ``results`` are of.
    private var shown = Uncompared<String?>(value: nil)
    /// The results of ``term``; while they are loading and after a failure, the previous results.
    public private(set) var results: Loadable<[Item]> = .idle
    /// Whether there are more results than the items of ``results``.
    public private(set) var isPartial = false
    /// Descriptions of the entries that ``results`` leave out, a sentence each.
    public private(set) var omissions: [String] = []

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
    /// When the items were current; `nil` when their source does not tell, and without items.
    public var asOf: Date? { results.asOf }
    /// Whether results are loading.
    public var isLoading: Bool { results.isLoading }

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// - Parameters:
    ///   - text: The text in the field.
    ///   - term: The last text searched for; by default the text in the field, if there are
    ///     results.
    ///   - results: The results.
    ///   - isPartial: Whether there are more results than these.
    ///   - omissions: Descriptions of the entries that the results leave out.
    ///   - hint: A hint about what to type.
    public init(
      text: String = "", term: String? = nil, results: Loadable<[Item]> = .idle,
      isPartial: Bool = false, omissions: [String] = [], hint: String? = nil
    ) {
      field = SearchField(text: text, hint: hint, term: term)
      if term == nil, results != .idle { field.term = field.query }
      self.results = results
      shown.value = field.term
      self.isPartial = isPartial
      self.omissions = omissions
    }
  }
}

extension Search.State {
  /// Changes the text; returns whether it can be searched.
  mutating func change(to text: String, hint: (String) -> String?) -> Bool {
    guard !field.change(to: text, hint: hint) else { return true }
    results = .idle
    (isPartial, omissions) = (false, [])
    return false
  }

  /// Whether the text has no results and none are loading.
  var isWorthSearching: Bool { field.isNew || results.failure != nil }

  /// Whether a search for another text is about to replace a failed one.
  var isSuperseded: Bool { field.isNew && results.failure != nil }

  /// Whether the results for the current text are loading.
  var isSearchingForText: Bool { isLoading && !field.isNew }

  mutating func beginSearching(for term: String, _ ticket: LoadTicket) {
    awaited.begin(ticket)
    field.term = term
    results.startLoading()
  }

  /// Shows results while the search goes on.
  mutating func show(_ found: SearchResults<Item>) {
    (isPartial, omissions) = (found.isPartial, found.omissions)
    shown.value = field.term
    results.show(Dated(found.items, asOf: found.asOf))
  }

  /// Ends the search with the last results that it found.
  mutating func finishSearching(
    _ result: Result<SearchResults<Item>?, any Error>, _ ticket: LoadTicket
  ) {
    awaited.end(ticket)
    if case .success(let found?) = result {
      shown.value = field.term
      (isPartial, omissions) = (found.isPartial, found.omissions)
    }
    results.finish(last: result.map { $0.map { Dated($0.items, asOf: $0.asOf) } })
  }

  /// Ends a search that was cancelled: what was there before it stays.
  mutating func cancelSearching(_ ticket: LoadTicket) {
    guard awaited.end(ticket), isLoading else { return }
    results.cancelLoading()
    if results.latest == nil || shown.value != field.term { field.term = nil }
  }
}
