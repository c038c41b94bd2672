/// A list that comes in pages: the first one, the next one as the end comes near, refresh, retry.
///
/// ```swift
/// let feed = Feed<Movie> { key in
///   let number = key?.number ?? 1
///   let response = try await catalogue.movies(page: number)
///   return Page(response.movies, number: number, of: response.pages, total: response.total)
/// }
/// ```
///
/// - There is one transfer at a time; a refresh supersedes a page in flight, whose result changes
///   nothing any more.
/// - An item is shown once, as it first came, however often its source repeats it. A page that
///   brings nothing new is followed by the next one, a few times.
/// - A page that fails leaves the pages before it, and ``Event/retry`` goes on from there.
/// - The end is a state, ``FeedStatus/ended``.
/// - Items can be changed meanwhile (``State/update(_:until:_:)``); neither a page nor a refresh
///   that arrives undoes an edit whose write is running.
public struct Feed<Item: Identifiable & Equatable & Sendable>: Screen where Item.ID: Sendable {
  /// What happens on a feed.
  public enum Event: Sendable {
    /// The list comes into view: its first page is loaded, unless something is there already.
    case load
    /// The list is to begin at a page, `nil` for the first, as an address says.
    case open(PageKey?)
    /// The list has become another one, as its screen's choices say: what is there goes, and its
    /// first page is loaded, unless nothing was asked for yet.
    case replaced
    /// An item comes into view; near the end the next page is loaded.
    case appeared(Item.ID)
    /// The user asks for the next page, or sees the foot of the list.
    case more
    /// The user asks for everything anew; what is there is shown until then.
    case refresh
    /// The user asks to repeat what failed, or to look again where the source had given up.
    case retry
  }

  private let prefetchDistance: Int
  private let load: @Sendable (PageKey?) async throws -> Page<Item>

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - prefetchDistance: How many items before the end the next page is loaded. Five: about what
  ///     a user scrolls past while it comes.
  ///   - load: Loads a page; `nil` stands for the first.
  public init(
    prefetchDistance: Int = 5, load: @escaping @Sendable (PageKey?) async throws -> Page<Item>
  ) {
    self.prefetchDistance = max(1, prefetchDistance)
    self.load = load
  }

  /// Nothing loaded yet.
  public var initial: State { State() }

  /// Handles what happens on the list.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .load:
      if state.status == .idle { transfer(.first, at: state.start, &state, &work) }
      work.join(.feed)
    case .open(let key):
      guard state.start != key || state.status == .idle else { return work.join(.feed) }
      state.begin(anew: key)
      transfer(.first, at: key, &state, &work)
    case .replaced:
      guard state.status != .idle else { return }
      state.begin(anew: nil)
      transfer(.first, at: nil, &state, &work)
    case .appeared(let id):
      guard state.status == .content,
        state.items.suffix(prefetchDistance).contains(where: { $0.id == id })
      else { return }
      transfer(.next, at: state.next, &state, &work)
    case .more:
      guard state.canLoadMore else { return }
      transfer(.next, at: state.next, &state, &work)
    case .refresh:
      guard !state.isLoading(.first), !state.isLoading(.refresh) else { return work.join(.feed) }
      reload(&state, &work)
    case .retry:
      switch state.status.failedPart {
      case .next: transfer(.next, at: state.next, &state, &work)
      case .first, .refresh: reload(&state, &work)
      case nil: if state.isPartial, !state.isLoading { reload(&state, &work) }
      }
    }
  }

  /// Loads the first page anew; what is there stays only if it belongs to it.
  private func reload(_ state: inout State, _ work: inout Work<State>) {
    let isThere = !state.items.isEmpty && state.status.failedPart != .first
    transfer(isThere ? .refresh : .first, at: state.start, &state, &work)
  }

  private func transfer(
    _ part: FeedPart, at key: PageKey?, _ state: inout State, _ work: inout Work<State>
  ) {
    let earlier = part == .next ? state : State(start: key)
    // At once, so that another event in the same change finds the list loading.
    state.begin(part, at: key)
    work.latest(.feed) { [load] in
      try await Transfer(at: key, after: earlier, load)
    } finished: { state, result, _ in
      state.finish(part, at: key, result)
    }
  }
}

extension WorkID {
  /// The transfer of a ``Feed``.
  public static let feed: WorkID = "feed"
}
