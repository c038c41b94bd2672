extension Feed {
  /// What a feed shows.
  public struct State: Equatable, Sendable {
    /// The items of all pages so far, each once, with the edits that are pending.
    public private(set) var items: [Item]
    /// What is going on; one value, so a spinner and an error can't be on screen together.
    public private(set) var status: FeedStatus
    /// How many items the whole list has, where its source tells.
    public private(set) var total: Int?
    /// Whether the source gave up before it had looked everywhere.
    public private(set) var isPartial: Bool
    /// What is wrong with entries that were left out, a sentence each.
    public private(set) var damages: [String]
    /// The page that the list begins with; `nil` for the first.
    public private(set) var start: PageKey?
    /// Where the list goes on; `nil` at its end.
    public private(set) var next: PageKey?

    /// The items without the edits that are pending.
    private var source: FeedSource<Item>
    private var edits = FeedEdits<Item>()
    /// The pages that are there, so that a source that leads in a circle comes to an end.
    private(set) var keys: Set<PageKey> = []

    /// Creates the state of a feed that was not touched yet, or any other for a preview or a test.
    ///
    /// - Parameters:
    ///   - items: The items, each with an id of its own.
    ///   - start: The page that the list begins with; `nil` for the first.
    ///   - next: Where the list goes on; `nil` at its end.
    ///   - status: What is going on; by default nothing, and the list has come to its end if there are
    ///     items and no next page.
    ///   - total: How many items the whole list has.
    ///   - isPartial: Whether the source gave up before it had looked everywhere.
    ///   - damages: What is wrong with entries that were left out, a sentence each.
    public init(
      items: [Item] = [], start: PageKey? = nil, next: PageKey? = nil, status: FeedStatus? = nil,
      total: Int? = nil, isPartial: Bool = false, damages: [String] = []
    ) {
      source = FeedSource(items, total: total)
      self.items = source.items
      self.status = status ?? (items.isEmpty ? .idle : next == nil ? .ended : .content)
      self.total = total
      self.isPartial = isPartial
      self.damages = damages
      self.start = start
      self.next = next
    }
  }
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

  /// The ids of the items that the source has brought.
  var ids: Set<Item.ID> { source.ids }

  // MARK: Edits

  /// Changes an item; does nothing when it is not there.
  ///
  /// ```swift
  /// work.write("like \(id)") { try await api.like(id) }
  /// started: { state in state.list.update(id, optimistically: true) { $0.isLiked = true } }
  /// finished: { state, result, _ in state.list.settle(id, result) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The item's id, which can't be changed.
  ///   - isOptimistic: Whether the change is pending until it is settled: then no page and no refresh
  ///     undoes it, and it can be rolled back. A change that is not is undone by a refresh that brings
  ///     the item otherwise.
  ///   - change: Changes the item.
  public mutating func update(
    _ id: Item.ID, optimistically isOptimistic: Bool = false, _ change: (inout Item) -> Void
  ) {
    guard let item = items.first(where: { $0.id == id }) else { return }
    if isOptimistic {
      guard let changed = item.changed(by: change) else { return }
      edits.add(.update(changed), to: id)
    } else {
      source.update(id, change)
      edits.update(id, change)
    }
    rebuild()
  }

  /// Inserts an item; one that is there already is replaced where it is.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - index: Where, among ``items``; the beginning by default.
  ///   - isOptimistic: Whether the insertion is pending until it is settled.
  public mutating func insert(
    _ item: Item, at index: Int = 0, optimistically isOptimistic: Bool = false
  ) {
    guard !items.contains(where: { $0.id == item.id }) else {
      return update(item.id, optimistically: isOptimistic) { $0 = item }
    }
    let before = items.prefix(max(0, index)).last?.id
    if isOptimistic {
      edits.add(.insertion(item, after: before), to: item.id)
    } else {
      source.insert(item, after: before)
    }
    rebuild()
  }

  /// Removes an item; does nothing when it is not there.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - isOptimistic: Whether the removal is pending until it is settled; rolled back, the item is
  ///     where it was.
  public mutating func remove(_ id: Item.ID, optimistically isOptimistic: Bool = false) {
    guard items.contains(where: { $0.id == id }) else { return }
    if isOptimistic {
      edits.add(.removal, to: id)
    } else {
      source.remove(id)
      edits.drop(id)
    }
    rebuild()
  }

  /// Settles the oldest pending edit of an item with the result of its write: it stays, or is rolled
  /// back, and other items keep their edits.
  ///
  /// Settle the edits of one item in their order; writes with one name end in theirs.
  public mutating func settle<Value>(_ id: Item.ID, _ result: Result<Value, any Error>) {
    switch result {
    case .success: commit(id)
    case .failure: rollBack(id)
    }
  }

  /// Keeps the oldest pending edit of an item.
  public mutating func commit(_ id: Item.ID) {
    guard let edit = edits.settle(id) else { return }
    source.apply(edit, to: id)
    // What arrives now was perhaps read before the write.
    if isLoading { edits.keep(edit, of: id) }
    rebuild()
  }

  /// Undoes the oldest pending edit of an item; a later one of the same item stays.
  public mutating func rollBack(_ id: Item.ID) {
    guard edits.settle(id) != nil else { return }
    rebuild()
  }

  private mutating func rebuild() {
    items = edits.applied(to: source)
    total = source.total.map { $0 + items.count - source.items.count }
    if status == .ended || status == .empty { status = items.isEmpty ? .empty : .ended }
  }

  // MARK: Transfers

  /// Forgets the list, as another one is to be shown; what is pending of its items is not forgotten.
  mutating func begin(anew start: PageKey?) {
    let edits = edits
    self = Self(start: start)
    self.edits = edits.withoutInsertions
  }

  /// Awaits a page; what is there stays until it comes.
  mutating func begin(_ part: FeedPart, at key: PageKey?) {
    if part == .first { start = key }
    edits.dropKept()
    status = .loading(part)
  }

  /// Takes the pages that a transfer brought; a failure leaves what is there.
  mutating func finish(
    _ part: FeedPart, at key: PageKey?, _ result: Result<Feed.Transfer, any Error>
  ) {
    switch result {
    case .failure(let error):
      status = .failed(LoadFailure(error), part)
    case .success(let transfer):
      if part != .next {
        let edits = part == .first ? edits.withoutInsertions : edits
        self = Self(start: key)
        self.edits = edits
      }
      for page in transfer.pages { add(page.page, at: page.key) }
      for (id, edit) in edits.dropKept() { source.apply(edit, to: id) }
      items = edits.applied(to: source)
      status = next != nil ? .content : items.isEmpty ? .empty : .ended
      rebuild()
      if let failure = transfer.failure { status = .failed(failure, .next) }
    }
  }

  private mutating func add(_ page: Page<Item>, at key: PageKey?) {
    if let key { keys.insert(key) }
    source.append(page.items, total: page.total)
    damages += page.damages
    isPartial = isPartial || page.isPartial
    next = page.next.flatMap { keys.contains($0) ? nil : $0 }
  }
}
