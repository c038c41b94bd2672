extension Feed {
  /// What a feed shows.
  public struct State: Equatable, Sendable {
    /// The items of all pages so far, each once.
    public private(set) var items: [Item] = []
    /// What is going on; one value, so a spinner and an error can't be on screen together.
    public private(set) var status: FeedStatus = .idle
    /// How many items the whole list has, where its source tells.
    public private(set) var total: Int?
    /// Whether the source gave up before it had looked everywhere.
    public private(set) var isPartial = false
    /// What is wrong with entries that were left out, a sentence each.
    public private(set) var damages: [String] = []
    /// The page that the list begins with; `nil` for the first.
    public private(set) var start: PageKey?
    /// Where the list goes on; `nil` at its end.
    public private(set) var next: PageKey?

    private var ids: Set<Item.ID> = []
    /// The pages that are there, so that a source that leads in a circle comes to an end.
    private var keys: Set<PageKey> = []

    /// Creates the state of a feed that was not touched yet.
    public init(start: PageKey? = nil) {
      self.start = start
    }
  }
}

/// What is going on in a ``Feed``.
public enum FeedStatus: Equatable, Sendable {
  /// Nothing was asked for.
  case idle
  /// A page is awaited.
  case loading(FeedPart)
  /// There is more than the items that are there.
  case content
  /// There are items, and all of them are there.
  case ended
  /// The list has no items.
  case empty
  /// A page could not be loaded.
  case failed(LoadFailure, FeedPart)

  /// What could not be loaded.
  public var failedPart: FeedPart? {
    if case .failed(_, let part) = self { part } else { nil }
  }
}

/// What a transfer of a ``Feed`` is for.
public enum FeedPart: Equatable, Sendable {
  /// The first page, while none is there or another list is to be shown.
  case first
  /// The page after those that are there.
  case next
  /// The first page anew.
  case refresh
}

extension Feed.State {
  /// Whether a page is awaited.
  public var isLoading: Bool {
    if case .loading = status { true } else { false }
  }

  /// Whether a certain page is awaited.
  public func isLoading(_ part: FeedPart) -> Bool { status == .loading(part) }

  /// Why a page could not be loaded.
  public var failure: LoadFailure? {
    if case .failed(let failure, _) = status { failure } else { nil }
  }

  /// Whether the next page can be asked for: there is one, and what is there belongs to it.
  public var canLoadMore: Bool {
    guard next != nil else { return false }
    return switch status {
    case .content, .failed(_, .next), .failed(_, .refresh): true
    case .idle, .loading, .ended, .empty, .failed(_, .first): false
    }
  }

  /// Awaits a page; what is there stays until it comes.
  mutating func begin(_ part: FeedPart, at key: PageKey?) {
    if part == .first { start = key }
    status = .loading(part)
  }

  /// Takes the list that a transfer brought; a failure leaves what is there.
  mutating func finish(_ part: FeedPart, _ result: Result<Self, any Error>) {
    switch result {
    case .failure(let error): status = .failed(LoadFailure(error), part)
    case .success(let list): self = list
    }
  }

  /// How many pages a transfer loads at most while they bring nothing new: enough for a gap in a
  /// list, and too few to use up a rate limit.
  private static var patience: Int { 5 }

  /// Returns this list and the page at a key.
  ///
  /// A page that brings nothing new puts nothing in view that could ask for the next one, so it is
  /// loaded as well.
  func loading(
    at key: PageKey?, _ load: (PageKey?) async throws -> Page<Item>
  ) async throws -> Self {
    var list = self
    var key = key
    for turn in 1...Self.patience {
      do {
        list.add(try await load(key), at: key)
      } catch {
        if turn == 1 { throw error }
        list.status = .failed(LoadFailure(error), .next)
        return list
      }
      // A transfer that was superseded meanwhile starts nothing more.
      guard list.items.count == items.count, list.next != nil, !Task.isCancelled else { break }
      key = list.next
    }
    return list
  }

  private mutating func add(_ page: Page<Item>, at key: PageKey?) {
    if let key { keys.insert(key) }
    for item in page.items where ids.insert(item.id).inserted { items.append(item) }
    damages += page.damages
    total = page.total ?? total
    isPartial = isPartial || page.isPartial
    next = page.next.flatMap { keys.contains($0) ? nil : $0 }
    status = next != nil ? .content : items.isEmpty ? .empty : .ended
  }
}
