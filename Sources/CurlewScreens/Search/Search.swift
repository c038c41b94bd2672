/// A generic search screen: a text field and the results for its text.
///
/// ```swift
/// let dogs = Search<Dog> { text in try await kennel.dogs(named: text) }
/// ```
///
/// - Leading and trailing white space is ignored.
/// - A search starts when the text has not changed for the debounce interval; not for the text that was searched last
///   (distinct), unless that search failed.
/// - A new search cancels the running search, whose result is ignored (latest-wins).
/// - An empty text shows ``Loadable/idle`` immediately.
/// - A failure keeps the last results, and the user can continue searching.
///
/// A ``PagedSearch`` loads more pages, and shows a ``Page``'s metadata.
public struct Search<Item: Equatable & Sendable>: Screen {
  /// An event of a search screen.
  public enum Event: Sendable, Equatable {
    /// The text in the field changed.
    case term(String)
    /// The user submits the search.
    case submit
    /// The user retries a failed or cancelled search.
    case retry
    /// The text and the results are no longer needed, for example after a sign-out.
    case clear
  }

  private let text: String
  private let debounce: Duration
  private let hint: @Sendable (String) -> String?
  private let source: Source<String, [Item]>

  /// Creates a search screen.
  ///
  /// - Parameters:
  ///   - text: The text that is searched when the screen begins.
  ///   - debounce: How long the text must stay unchanged before the search starts. The default, half a second, is longer
  ///     than the pause between two keystrokes.
  ///   - hint: A closure that returns a hint about what to type for a text that can't be searched; otherwise `nil`.
  ///   - source: The source of the results for a trimmed, non-empty text.
  public init(
    text: String = "", debounce: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil }, source: Source<String, [Item]>
  ) {
    (self.text, self.debounce, self.hint, self.source) = (text, debounce, hint, source)
  }

  /// Creates a search screen whose results are loaded by a closure, called with a trimmed, non-empty text.
  public init(
    text: String = "", debounce: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    find: @escaping @Sendable (String) async throws -> [Item]
  ) {
    self.init(text: text, debounce: debounce, hint: hint, source: Source(find))
  }

  /// The initial text, without results.
  public var initial: State {
    var state = State()
    _ = state.field.change(to: text, hint: hint)
    return state
  }

  /// Searches for the initial text.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    if state.results == .idle { handle(.submit, &state, &work) }
  }

  /// Handles an event of the field.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    state.endAbandonedLoad()
    switch event {
    case .term(let text):
      guard state.field.change(to: text, hint: hint) else {
        state.results = .idle
        return cancel(&work)
      }
      search(state.query, after: debounce, &work) { $0.isWorthSearching }
    case .submit:
      guard state.field.isSearchable() else { return }
      search(state.query, after: .zero, &work) { !$0.isLoading || $0.isNew }
      work.join(.search)
    case .retry:
      guard state.field.isSearchable(), state.isWorthSearching else { return }
      search(state.query, after: .zero, &work) { _ in true }
    case .clear:
      state = State()
      cancel(&work)
    }
  }

  /// Returns the search, which ``Event/retry`` retries.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .search, isLoading: state.results.isLoading, failure: state.results.failure,
        isSuperseded: state.isNew && state.results.failure != nil,
        isInline: state.results.failure != nil && state.items.isEmpty,
        retry: .retry, reload: state.isNew ? nil : .submit)
    ]
  }

  private func search(
    _ term: String, after delay: Duration, _ work: inout Work<State>,
    if condition: @escaping @Sendable (State) -> Bool
  ) {
    let (source, ticket) = (source, LoadTicket())
    work.load(
      .search, ticket, after: delay, if: { $0.query == term && condition($0) }
    ) {
      try await source.load(term, $0)
    } started: { state in
      state.ticket = ticket
      state.field.term = term
      state.results.startLoading()
    } each: { state, found, _ in
      state.field.shown = term
      state.results.update(with: found.map(unique))
    } finished: { state, result, work in
      if source.hasDiscarded(result) {
        state.results = .idle
        return
      }
      state.results.finishLoading(withLast: result.map { $0?.map(unique) })
      if case .success(.some) = result { state.field.shown = term }
      if state.results.isEmpty { state.field.shown = term }
      guard let live = source.live else { return }
      work.follow(.searchChanges, [term], of: live) { state, _ in
        if !state.isLoading, state.term == term {
          state.follow(live.current(term).shown.map(unique))
        }
      }
    }
  }

  private func cancel(_ work: inout Work<State>) {
    work.cancel(.search)
    if source.live != nil { work.cancel(.searchChanges) }
  }
}

/// Returns the first of the items with each id: a diffable data source ends the app at equal ids.
private func unique<Item>(_ items: [Item]) -> [Item] {
  func uniqueByID<Element: Identifiable>(_: Element.Type) -> [Item] {
    var ids: Set<Element.ID> = []
    return items.filter { ids.insert(($0 as! Element).id).inserted }
  }
  return (Item.self as? any Identifiable.Type).map { uniqueByID($0) } ?? items
}

extension WorkID {
  /// The search of a ``Search`` screen.
  public static let search: WorkID = "search"
  /// The changes of a ``Search`` whose source is live.
  static let searchChanges: WorkID = "search.changes"
}
