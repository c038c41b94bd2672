extension Search {
  /// The state of a search screen.
  public struct State: Equatable, Sendable, LoadingState {
    var field = SearchField()
    @Unobserved var ticket: LoadTicket?
    /// The results of ``term``; while they are loading and after a failure, the previous results.
    public internal(set) var results: Loadable<[Item]> = .idle

    /// The text in the field, exactly as typed, so that it can back a text field.
    public var text: String { field.text }
    /// The text to search for: ``text`` without leading and trailing white space.
    public var query: String { field.query }
    /// A hint about what to type; `nil` when the text can be searched.
    public var hint: String? { field.hint }
    /// The last text searched for, to which ``results`` belong once they are loaded.
    public var term: String? { results.isIdle ? nil : field.term }
    /// The text that ``items`` belong to; the previous text while another text is loading, and after a failure.
    public var shownTerm: String? { items.isEmpty ? nil : field.shown }
    /// The items to show: the results, or the previous results.
    public var items: [Item] { results.latest ?? [] }

    /// Whether a search is running.
    public var isLoading: Bool { results.isLoading }

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// By default, the last text searched for is the text in the field, if there are results.
    public init(
      text: String = "", term: String? = nil, results: Loadable<[Item]> = .idle,
      hint: String? = nil
    ) {
      field = SearchField(text: text, hint: hint, term: term, hasResults: results != .idle)
      self.results = results
    }
  }
}

/// A decoded state has the last results: a search that was running or had failed can be started again.
extension Search.State: Codable where Item: Codable {
  private enum CodingKeys: CodingKey { case field, results }
}

extension Search.State {
  /// Whether the text was not searched yet, or its search failed.
  var isWorthSearching: Bool { isNew || results.failure != nil }

  /// Whether the text differs from the last text searched for.
  var isNew: Bool { term != query }

  mutating func cancelLoading() {
    results.cancelLoading()
    if field.shown != field.term { field.term = nil }
  }

  /// Adopts the current results of ``term``; after its search has failed, the previous results stay until it has results.
  mutating func follow(_ current: Loadable<[Item]>) {
    guard current.latest != nil || current.isIdle || field.shown == field.term else { return }
    results.follow(current)
    if results.latest?.isEmpty == true, results.failure == nil { results = .empty }
    field.shown = field.term
  }
}
