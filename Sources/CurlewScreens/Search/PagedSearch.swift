/// A search screen with paged results: a search field with a ``Feed`` below it.
///
/// ```swift
/// let repositories = PagedSearch<Repository> { language, key in
///   try await host.repositories(in: language, page: key?.number ?? 1).page
/// }
/// ```
///
/// With `listsAll`, an empty text lists everything, as in a catalogue. The field behaves like that of a ``Search``, and the
/// results like a ``Feed``. The previous results are shown until the new results are loaded.
public struct PagedSearch<Item: Identifiable & Equatable & Sendable>: Screen
where Item.ID: Sendable {
  /// An event of a paged search screen.
  public enum Event: Sendable, Equatable {
    /// The text in the field changed.
    case term(String)
    /// The user submits the search; the results begin at a page, as with ``Feed/Event/restore(at:pageCount:)``.
    case submit(from: PageKey? = nil, pageCount: Int = 1)
    /// An event of the list.
    case list(Feed<Item>.Event)
    /// The text and the results are no longer needed, for example after a sign-out.
    case clear
  }

  /// The state of a paged search screen.
  public struct State: Equatable, Sendable, LoadingState {
    var field = SearchField()
    /// The results of ``term``; while they are loading and after a failure, the previous results.
    public var list = Feed<Item>.State()

    /// The text in the field, exactly as typed, so that it can back a text field.
    public var text: String { field.text }
    /// The text to search for: ``text`` without leading and trailing white space.
    public var query: String { field.query }
    /// A hint about what to type; `nil` when the text can be searched.
    public var hint: String? { field.hint }
    /// The last text searched for, to which ``list`` belongs once it is loaded; `nil` after its search was cancelled.
    public var term: String? {
      switch list.status {
      case .idle: nil
      case .loading, .failed: field.term
      case .content, .ended, .empty: shown == field.term ? field.term : nil
      }
    }
    /// The text that the list's items belong to; the previous text while another text is loading, and after a failure.
    public var shownTerm: String? { list.items.isEmpty ? nil : shown }
    /// The text that the list's pages belong to: a list that was made elsewhere belongs to the last text searched for.
    private var shown: String? { list.term ?? field.term }

    /// Whether the text differs from the last text searched for.
    var isNew: Bool { term != query }
    var ticket: LoadTicket? { list.ticket }
    var isLoading: Bool { list.isLoading }

    mutating func cancelLoading() { list.cancelLoading() }

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    ///
    /// By default, the last text searched for is the text in the field, if there is a list.
    public init(
      text: String = "", term: String? = nil, list: Feed<Item>.State = Feed<Item>.State(),
      hint: String? = nil
    ) {
      field = SearchField(text: text, hint: hint, term: term, hasResults: list.status != .idle)
      self.list = list
    }
  }

  private let text: String
  private let listsAll: Bool
  private let debounce: Duration
  private let hint: @Sendable (String) -> String?
  private let feed: @Sendable (String) -> Feed<Item>
  /// The list, as a part.
  public let parts: [Part<State, Event>]

  /// Creates a paged search screen.
  ///
  /// - Parameters:
  ///   - text: The text that is searched when the screen begins.
  ///   - listsAll: Whether an empty text lists everything: when the screen begins, and immediately when the text is
  ///     deleted.
  ///   - debounce: How long the text must stay unchanged before the search starts.
  ///   - hint: A closure that returns a hint about what to type for a text that can't be searched; otherwise `nil`.
  ///   - source: A closure that returns the source of the pages of the results for a trimmed text, empty only with
  ///     `listsAll`.
  public init(
    text: String = "", listsAll: Bool = false, debounce: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    source: @escaping @Sendable (String) -> Source<PageKey?, Page<Item>>
  ) {
    (self.text, self.listsAll, self.debounce, self.hint) = (text, listsAll, debounce, hint)
    feed = { text in
      var feed = Feed(source: source(text))
      feed.term = text
      return feed
    }
    parts = [Part(\.list, feed(""), event: Event.list)]
  }

  /// Creates a paged search screen whose pages are loaded by a closure of a trimmed text and a key, `nil` for the first.
  public init(
    text: String = "", listsAll: Bool = false, debounce: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    find: @escaping @Sendable (String, PageKey?) async throws -> Page<Item>
  ) {
    self.init(text: text, listsAll: listsAll, debounce: debounce, hint: hint) { text in
      Source { try await find(text, $0) }
    }
  }

  /// The initial text, without results.
  public var initial: State {
    var state = State()
    _ = state.field.change(to: text, listsAll: listsAll, hint: hint)
    return state
  }

  /// Searches for the initial text, or lists everything if the text is empty and `listsAll` is set.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    if state.list.status == .idle { handle(.submit(), &state, &work) }
  }

  /// Handles an event of the field or the list.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    state.endAbandonedLoad()
    switch event {
    case .term(let text):
      // A new text supersedes the list, which continues if the text returns while the list's end is visible.
      let wantsMore = state.list.wantsMore && state.list.canLoadMore
      state.list.wantsMore = wantsMore
      guard state.field.change(to: text, listsAll: listsAll, hint: hint) else {
        state.list.begin(anew: nil)
        work.cancel(.feedChanges.in(\State.list))
        return work.cancel(.feed.in(\State.list))
      }
      if wantsMore, !state.isNew { return handle(.list(.more), &state, &work) }
      let pause = state.query.isEmpty ? .zero : debounce
      // Skips the search if the text has results, or its results are loading.
      search(from: nil, after: pause, &state, &work) { state in
        state.isNew || state.list.failed(.first)
      }
    case .submit(let key, let pages):
      guard state.field.isSearchable(listsAll: listsAll) else { return }
      search(from: key, pages: pages, after: .zero, &state, &work) { state in
        !(state.list.isLoading(.first) && !state.isNew && state.list.start == key)
      }
      work.join(.feed.in(\State.list))
    case .list(let event):
      guard let term = state.term, !state.isNew else {
        // A new text supersedes the list, unless its search was cancelled: then reloading starts the search.
        switch event {
        case .load, .refresh, .retry: if state.term == nil { handle(.submit(), &state, &work) }
        case .more: state.list.wantsMore = state.list.canLoadMore
        case .restore, .sourceChanged, .appeared, .clear: break
        }
        return
      }
      let feed = feed(term)
      work.scope(\.list) { feed.handle(event, &state.list, &$0) }
    case .clear:
      state = State()
      work.cancel(.feed.in(\State.list))
      work.cancel(.feedChanges.in(\State.list))
    }
  }

  /// Returns the load of the list's pages, which the list's retry event retries.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .search, kind: state.list.loadKind, isLoading: state.list.isLoading,
        failure: state.list.failure, isSuperseded: state.isNew && state.list.failure != nil,
        isInline: state.list.isFailureInline, retry: .list(.retry),
        reload: state.isNew ? nil : .list(.refresh))
    ]
  }

  private func search(
    from key: PageKey?, pages: Int = 1, after delay: Duration, _ state: inout State,
    _ work: inout Work<State>, if condition: @escaping @Sendable (State) -> Bool
  ) {
    let term = state.query
    let feed = feed(term)
    let ticket = LoadTicket()
    let start = { @Sendable (state: inout State) in
      if state.term != term { state.list.beginAnotherList() }
      state.field.term = term
      state.list.begin(.first, at: key, ticket)
    }
    // Without a delay, starts here, so that another event in the same change finds the list loading.
    let isImmediate = delay == .zero
    let isWanted = !isImmediate || condition(state)
    if isImmediate, isWanted { start(&state) }
    // Uses the name of the list's load in order to replace that load.
    work.load(
      .feed.in(\State.list), ticket, after: delay,
      if: { isImmediate ? isWanted : $0.query == term && condition($0) }
    ) {
      try await Feed<Item>.Transfer.load(at: key, pages: pages, feed.source, showing: $0)
    } started: { state in
      if !isImmediate { start(&state) }
    } each: { state, page, work in
      work.scope(\.list) { feed.show(page, at: key, &state.list, &$0) }
    } finished: { state, result, work in
      work.scope(\.list) { feed.finish(.first, at: key, result, &state.list, &$0) }
    }
  }
}
