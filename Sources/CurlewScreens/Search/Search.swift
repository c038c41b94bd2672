/// The generic search screen: a field, and the results of what stands in it.
///
/// ```swift
/// let dogs = Search<Dog> { text in try await kennel.dogs(named: text) }
/// ```
///
/// - The text is searched without white space around it. A search begins when the text has rested for
///   the quiet time (debounce), and not for the text that was searched last (distinct), unless
///   that search failed.
/// - A new search cancels the one in flight, whose result changes nothing any more (latest wins).
/// - An empty text shows ``Loadable/idle`` at once.
/// - An error keeps the last results, and the screen goes on working.
public struct Search<Item: Equatable & Sendable>: Screen {
  /// What happens on a search screen.
  public enum Event: Sendable, Equatable {
    /// The text in the field changed to this.
    case term(String)
    /// The user asks to search now.
    case submit
    /// The user asks to repeat a search that failed.
    case retry
  }

  private let quietTime: Duration
  private let hint: @Sendable (String) -> String?
  private let find: @Sendable (String) async throws -> SearchResults<Item>

  /// Creates a search screen.
  ///
  /// - Parameters:
  ///   - quietTime: How long the text must rest before it is searched. Half a second: longer than
  ///     the pause between two keys, shorter than a user's patience.
  ///   - hint: Says what to type while a text can't be searched yet; `nil` for one that can.
  ///   - find: Searches; gets the trimmed text, which is never empty.
  public init(
    quietTime: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    find: @escaping @Sendable (String) async throws -> [Item]
  ) {
    self.init(quietTime: quietTime, hint: hint) { SearchResults(items: try await find($0)) }
  }

  /// Creates a search screen whose source tells whether there is more than it gave.
  ///
  /// - Parameters:
  ///   - quietTime: How long the text must rest before it is searched.
  ///   - hint: Says what to type while a text can't be searched yet; `nil` for one that can.
  ///   - results: Searches; gets the trimmed text, which is never empty.
  public init(
    quietTime: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    results: @escaping @Sendable (String) async throws -> SearchResults<Item>
  ) {
    self.quietTime = quietTime
    self.hint = hint
    find = results
  }

  /// No text and no results.
  public var initial: State { State() }

  /// Handles what happens in the field.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .term(let text):
      guard state.change(to: text, hint: hint) else { return work.cancel(.search) }
      search(state.query, after: quietTime, &work) { $0.isWorthSearching }
    case .submit:
      guard state.field.isSearchable else { return }
      search(state.query, after: .zero, &work) { !$0.isSearchingForText }
      work.join(.search)
    case .retry:
      guard state.field.isSearchable, state.results.failure != nil else { return }
      search(state.query, after: .zero, &work) { _ in true }
    }
  }

  private func search(
    _ term: String, after delay: Duration, _ work: inout Work<State>,
    if condition: @escaping @Sendable (State) -> Bool
  ) {
    work.latest(.search, after: delay, if: condition) { [find] in
      try await find(term)
    } started: { state in
      state.beginSearching(for: term)
    } finished: { state, result, _ in
      state.finishSearching(result)
    }
  }
}

/// What a search found.
public struct SearchResults<Item: Sendable>: Sendable {
  /// The items, in the order in which they are shown.
  public var items: [Item]
  /// Whether there is more than these items.
  public var isPartial: Bool
  /// What is wrong with entries that were left out, a sentence each.
  public var damages: [String]

  /// Creates results.
  public init(items: [Item], isPartial: Bool = false, damages: [String] = []) {
    self.items = items
    self.isPartial = isPartial
    self.damages = damages
  }
}

extension SearchResults: Equatable where Item: Equatable {}

extension WorkID {
  /// The search of a ``Search`` screen.
  public static let search: WorkID = "search"
}
