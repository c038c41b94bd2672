/// A paged list: loads the first page, the next page as the user nears the end, and supports refresh and retry.
///
/// ```swift
/// let feed = Feed<Movie> { key in
///   let number = key?.number ?? 1
///   let response = try await catalogue.movies(page: number)
///   return Page(response.movies, number: number, of: response.pages, total: response.total)
/// }
/// ```
///
/// - One transfer runs at a time; a refresh cancels the page in flight, whose result is ignored.
/// - Items are unique by id: of repeated items, the first is shown. When a page contains no new
///   items, the next pages are loaded too, at most five in one transfer.
/// - A page that fails keeps the pages before it, and ``Event/retry`` continues from there.
/// - After the user has removed items, a page by number is loaded again if the next items have moved to it.
/// - The end of the list is a status, ``FeedStatus/ended``.
/// - Items can be edited at any time (``State/update(_:until:_:)``); a page or a refresh that
///   arrives does not undo an edit whose write is pending.
public struct Feed<Item: Identifiable & Equatable & Sendable>: Screen where Item.ID: Sendable {
  /// An event of a feed.
  public enum Event: Sendable, Equatable {
    /// The list appears; loads the first page, unless loading has started before, and retries a failed load.
    case load
    /// The user opens the list at a page, for example by its URL; `nil` for the first page. To restore a scroll
    /// position, `pageCount` pages are loaded, at most ten.
    case restore(at: PageKey?, pageCount: Int = 1)
    /// The list shows other data, for example by a changed filter; removes all items and loads the first page, unless
    /// loading has not started yet.
    case sourceChanged
    /// An item appears; near the end, loads the next page.
    case appeared(Item.ID)
    /// The user requests the next page, or reaches the end of the list.
    case more
    /// The user requests a refresh, from the server (`Reload`); the current items stay visible until the first page is
    /// loaded. The next pages are then loaded from the server, too.
    case refresh
    /// The user retries a failed or cancelled transfer, or reloads a partial list.
    case retry
    /// The items are no longer needed, for example after a sign-out; removes them, and cancels the load.
    case clear
  }

  private let prefetchDistance: Int
  /// The text of a ``PagedSearch`` whose results the list shows.
  var term: String?
  let source: Source<PageKey?, Page<Item>>
  private var live: (any LiveSource<PageKey?, Page<Item>>)? { source.live }

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - prefetchDistance: The number of items before the end at which the next page is loaded.
  ///   - source: The source of the pages; its key is `nil` for the first page.
  public init(prefetchDistance: Int = 5, source: Source<PageKey?, Page<Item>>) {
    self.prefetchDistance = max(1, prefetchDistance)
    self.source = source
  }

  /// Creates a feed whose pages are loaded by a closure; its argument is `nil` for the first page.
  public init(
    prefetchDistance: Int = 5, load: @escaping @Sendable (PageKey?) async throws -> Page<Item>
  ) {
    self.init(prefetchDistance: prefetchDistance, source: Source(load))
  }

  /// An empty list whose loading has not started.
  public var initial: State { State() }

  /// Handles an event of the list.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    state.endAbandonedLoad()
    switch event {
    case .load:
      if state.status == .idle { transfer(.first, at: state.start, &state, &work) }
      if state.failure != nil { handle(.retry, &state, &work) }
      revalidate(&state, &work)
      work.join(.feed)
    case .restore(let key, let pages):
      guard state.start != key || state.status == .idle else { return work.join(.feed) }
      begin(anew: key, pages, &state, &work)
    case .sourceChanged:
      if state.status != .idle { begin(anew: nil, 1, &state, &work) }
    case .appeared(let id):
      // A failed page is retried by the user.
      guard state.failure == nil,
        state.content.items.suffix(prefetchDistance).contains(where: { $0.id == id })
      else { return }
      handle(.more, &state, &work)
    case .more:
      if state.isLoading(.refresh) { state.wantsMore = state.content.next != nil }
      if state.canLoadMore { loadMore(&state, &work) }
    case .refresh:
      guard !state.isLoading(.first), !state.isLoading(.refresh) else { return work.join(.feed) }
      reload(&state, &work)
      state.isPulled = true
    case .retry:
      if state.failed(.next) {
        loadMore(&state, &work)
      } else if state.failure != nil || state.status == .idle
        || state.content.isPartial && !state.isLoading
      {
        reload(&state, &work)
      }
    case .clear:
      state = State()
      work.cancel(.feed)
      if live != nil { work.cancel(.feedChanges) }
    }
  }

  /// Loads another list.
  private func begin(
    anew key: PageKey?, _ pages: Int, _ state: inout State, _ work: inout Work<State>
  ) {
    state.begin(anew: key)
    if live != nil { work.cancel(.feedChanges) }
    transfer(.first, at: key, pages: pages, &state, &work)
  }

  /// Shows an early value of the first page.
  func show(
    _ page: Page<Item>, at key: PageKey?, _ state: inout State, _ work: inout Work<State>
  ) {
    // Until the load has ended, its own values include the changes.
    if live != nil { work.cancel(.feedChanges) }
    state.show(page, at: key, of: term)
  }

  /// Adds the pages that a transfer loaded, and follows their changes.
  func finish(
    _ kind: LoadKind, at key: PageKey?, _ result: Result<Transfer, any Error>,
    _ state: inout State, _ work: inout Work<State>
  ) {
    guard !source.hasDiscarded(result) else { return state.cancelLoading() }
    let wantsMore = state.wantsMore || kind == .next && state.hasChangedLast
    state.finish(kind, at: key, of: term, result)
    // After a failed search, the pages may belong to the previous text.
    guard state.term == term || state.pageCount == 0 else { return }
    follow(&state, &work)
    // The row that requested the next page may not appear again.
    if wantsMore, state.status == .content { handle(.more, &state, &work) }
  }

  /// Observes the loaded pages for changes, if their source is live.
  private func follow(_ state: inout State, _ work: inout Work<State>) {
    guard let live else { return }
    let isOutdated = state.update(live)
    let (feed, keys) = (self, state.pageKeys.isEmpty ? [state.start] : state.pageKeys)
    work.follow(.feedChanges, keys, of: live) { state, work in
      if state.update(live) { feed.revalidate(&state, &work) }
    }
    if isOutdated { revalidate(&state, &work) }
  }

  /// Loads the first page again that follows a changed page, unless such a load is running.
  private func revalidate(_ state: inout State, _ work: inout Work<State>) {
    guard let live, let (index, key) = state.outdatedPage else { return }
    let source = source
    if state.chain.isAtLimit {
      // The other pages may repeat or miss items; they are loaded when the user scrolls to them.
      state.pageKeys.removeSubrange(index...)
      _ = state.update(live)
      state.chain.changesOfLast += 1
      return
    }
    let (feed, ticket) = (self, LoadTicket())
    state.chain.ticket = ticket
    work.latest(
      .feedRevalidation, ticket: ticket, reloads: true, while: { $0.chain.ticket === ticket }
    ) { (_: (Never) -> Bool) in
      try await source.load(key) { _ in true }
    } each: { _, _, _ in
    } finished: { state, result, work in
      // After a failure, a change of the page or the list's next appearance continues the chain.
      guard case .success = result, state.pageKeys.indices.contains(index) else { return }
      if state.hasLoaded(index, at: key) {
        feed.follow(&state, &work)
      } else {
        _ = state.update(live)
      }
      feed.revalidate(&state, &work)
    }
  }

  /// Returns the load of the list's pages, which ``Event/retry`` retries.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: .feed, kind: state.loadKind, isLoading: state.isLoading, failure: state.failure,
        isInline: state.isFailureInline, retry: .retry,
        reload: state.status == .idle ? nil : .refresh)
    ]
  }

  /// Reloads the first page; keeps the current items if they belong to the same list.
  ///
  /// A user's refresh loads one page, which is fast. A background reload loads all displayed pages, so that the rows that
  /// the user is reading stay.
  private func reload(_ state: inout State, _ work: inout Work<State>) {
    let keepsItems = !state.content.items.isEmpty && !state.failed(.first)
    transfer(
      keepsItems ? .refresh : .first, at: state.start,
      pages: work.isBackground ? max(1, state.pageCount) : 1, &state, &work)
  }

  private func loadMore(_ state: inout State, _ work: inout Work<State>) {
    transfer(.next, at: state.keyOfMore, &state, &work)
    // The items of these pages have moved up.
    if let hiding = state.chain.hiding { state.chain.outdated.insert(hiding) }
    revalidate(&state, &work)
  }

  private func transfer(
    _ kind: LoadKind, at key: PageKey?, pages: Int = 1, _ state: inout State,
    _ work: inout Work<State>
  ) {
    let earlier = kind == .next ? state.droppingPages(from: key) : State(start: key)
    // Set here, not in `started`, so that another event in the same change finds the list loading.
    let ticket = LoadTicket()
    state.begin(kind, at: key, ticket)
    let (source, feed) = (source, self)
    // A store reloads by itself what is not fresh.
    let reloads =
      kind == .refresh && !(work.isBackground && live != nil)
      || kind == .next && (state.chain.changesOfLast > 0 || state.chain.hiding != nil)
    work.load(.feed, ticket, reloads: reloads) {
      try await Transfer.load(at: key, pages: pages, after: earlier, of: kind, source, showing: $0)
    } each: { state, page, work in
      feed.show(page, at: key, &state, &work)
    } finished: { state, result, work in
      feed.finish(kind, at: key, result, &state, &work)
    }
  }
}

extension WorkID {
  /// The load of a ``Feed``.
  public static let feed: WorkID = "feed"
  /// The changes of a ``Feed`` whose source is live.
  static let feedChanges: WorkID = "feed.changes"
  /// The load of a page of a ``Feed`` whose source is live, because a page before it has changed.
  static let feedRevalidation: WorkID = "feed.revalidation"
}
