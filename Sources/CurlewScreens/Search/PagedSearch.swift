/// A search screen whose results come in pages: a ``Search`` with a ``Feed`` below its field.
///
/// ```swift
/// let repositories = PagedSearch<Repository> { language, key in
///   try await host.repositories(in: language, page: key?.number ?? 1).page
/// }
/// ```
///
/// It keeps the promises of both: the field is debounced, distinct and latest wins; the results are
/// loaded page by page, and those of the last term are shown until the new ones are there.
public struct PagedSearch<Item: Identifiable & Equatable & Sendable>: LoadingScreen
where Item.ID: Sendable {
  /// What happens on a search screen with pages.
  public enum Event: Sendable {
    /// The text in the field changed to this.
    case term(String)
    /// The user asks to search now; the results begin at a page, `nil` for the first.
    case submit(from: PageKey? = nil)
    /// Something happened to the list.
    case list(Feed<Item>.Event)
  }

  /// What a search screen with pages shows.
  public struct State: Equatable, Sendable {
    var field = SearchField()
    /// The results of ``term``; while they are awaited and after a failure, the last ones.
    public var list = Feed<Item>.State()

    /// The text in the field as it was typed, so that it can back a text field.
    public var text: String { field.text }
    /// The text to search: ``text`` without white space around it.
    public var query: String { field.query }
    /// What to type, while the text can't be searched yet.
    public var hint: String? { field.hint }
    /// The text that was searched last: what ``list`` is of, or will be.
    public var term: String? { field.term }

    /// Creates the state of a screen that was not touched yet, or any other for a preview or a
    /// test.
    ///
    /// - Parameters:
    ///   - text: The text in the field.
    ///   - term: The text that was searched last; by default that in the field, where there is a list.
    ///   - list: The results.
    ///   - hint: What to type.
    public init(
      text: String = "", term: String? = nil, list: Feed<Item>.State = Feed<Item>.State(),
      hint: String? = nil
    ) {
      field = SearchField(text: text, hint: hint, term: term)
      if term == nil, list.status != .idle { field.term = field.query }
      self.list = list
    }
  }

  private let quietTime: Duration
  private let hint: @Sendable (String) -> String?
  private let find: @Sendable (String, PageKey?) async throws -> Page<Item>

  /// Creates a search screen with pages.
  ///
  /// - Parameters:
  ///   - quietTime: How long the text must rest before it is searched. Half a second: longer than
  ///     the pause between two keys, shorter than a user's patience.
  ///   - hint: Says what to type while a text can't be searched yet; `nil` for one that can.
  ///   - find: Loads a page of the results of a trimmed text, which is never empty; `nil` stands for
  ///     the first page.
  public init(
    quietTime: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    find: @escaping @Sendable (String, PageKey?) async throws -> Page<Item>
  ) {
    self.quietTime = quietTime
    self.hint = hint
    self.find = find
  }

  /// No text and no results.
  public var initial: State { State() }

  /// Handles what happens in the field and on the list.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .term(let text):
      guard state.field.change(to: text, hint: hint) else {
        state.list.begin(anew: nil)
        return work.cancel(.feed.in(\State.list))
      }
      search(state.query, from: nil, after: quietTime, &work) { $0.isWorthSearching }
    case .submit(let key):
      guard state.field.isSearchable else { return }
      search(state.query, from: key, after: .zero, &work) { state in
        !(state.list.isLoading(.first) && !state.field.isNew && state.list.start == key)
      }
      work.join(.feed.in(\State.list))
    case .list(let event):
      // What was typed since takes the place of the list, and of what is asked of it.
      guard let term = state.term, !state.field.isNew else { return }
      let feed = Feed<Item> { [find] key in try await find(term, key) }
      work.scope(\.list) { feed.handle(event, &state.list, &$0) }
    }
  }

  /// The page of the list that is loaded.
  public func loads(in state: State) -> [Load] {
    [
      Load(
        name: "search", isLoading: state.list.isLoading, failure: state.list.failure,
        isSuperseded: state.field.isNew && state.list.failure != nil)
    ]
  }

  /// Loads again what failed.
  public func event(retrying load: WorkID) -> Event? { .list(.retry) }

  private func search(
    _ term: String, from key: PageKey?, after delay: Duration, _ work: inout Work<State>,
    if condition: @escaping @Sendable (State) -> Bool
  ) {
    // With the list's own name, for it replaces what the list loads, and changes the field, too.
    work.latest(.feed.in(\State.list), after: delay, if: condition) { [find] in
      try await Feed<Item>.Transfer(at: key) { try await find(term, $0) }
    } started: { state in
      if state.field.term != term { state.list.beginAnotherList() }
      state.field.term = term
      state.list.begin(.first, at: key)
    } finished: { state, result, _ in
      state.list.finish(.first, at: key, result)
    }
  }
}

extension PagedSearch.State {
  /// Whether the text has no results, and none on their way.
  fileprivate var isWorthSearching: Bool { field.isNew || list.status.failedPart == .first }
}
