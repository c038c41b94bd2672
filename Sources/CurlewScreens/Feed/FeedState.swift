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

    /// The items that the source has brought, each once, with the edits that are settled.
    private var source: [Item] = []
    private var sourceTotal: Int?
    /// The ids of ``source``.
    private(set) var ids: Set<Item.ID> = []
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
      self.items = []
      self.status = status ?? (items.isEmpty ? .idle : next == nil ? .ended : .content)
      sourceTotal = total.map { max(0, $0) }
      self.isPartial = isPartial
      self.damages = damages
      self.start = start
      self.next = next
      append(items)
      rebuild()
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

  /// The item with an id, as it is shown; `nil` when it is not there.
  public subscript(id: Item.ID) -> Item? { items.first { $0.id == id } }

  // MARK: Edits

  /// Changes an item; does nothing when it is not there.
  ///
  /// ```swift
  /// work.write("like \(id)") { try await api.like(id) }
  /// started: { state in state.list.update(id, until: "like \(id)") { $0.isLiked = true } }
  /// finished: { state, result, _ in state.list.settle("like \(id)", result) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The item's id, which can't be changed.
  ///   - write: The name of the write that makes the change elsewhere. Then the change is optimistic: it
  ///     is applied anew to what pages and refreshes bring, and undone when it is rolled back. So
  ///     it should say what the item becomes (`isLiked = true`), not how it differs (`isLiked.toggle()`).
  ///     Without a name the change lasts until a refresh brings the item otherwise.
  ///   - change: Changes the item.
  public mutating func update(
    _ id: Item.ID, until write: WorkID? = nil, _ change: @escaping @Sendable (inout Item) -> Void
  ) {
    if let write {
      edits.add(self[id] == nil ? .none : .update(change), to: id, as: write)
    } else {
      edits.update(id, change)
      if let index = source.firstIndex(where: { $0.id == id }) {
        source[index] = source[index].changed(by: change) ?? source[index]
      }
    }
    rebuild()
  }

  /// Inserts an item; one that is there already is replaced where it is.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - index: Where, among ``items``; the beginning by default.
  ///   - write: The name of the write that makes the insertion elsewhere, and may roll it back.
  public mutating func insert(_ item: Item, at index: Int = 0, until write: WorkID? = nil) {
    let index = items.firstIndex { $0.id == item.id } ?? min(max(0, index), items.count)
    let kind = FeedEdit<Item>.Kind.insertion(
      item, after: index > 0 ? items[index - 1].id : nil, index: index)
    if let write {
      edits.add(kind, to: item.id, as: write)
    } else {
      edits.dropPresence(item.id)
      commit(FeedEdit(name: "", id: item.id, number: 0, kind: kind))
    }
    rebuild()
  }

  /// Removes an item; does nothing when it is not there.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - write: The name of the write that makes the removal elsewhere. Rolled back, the item is where it
  ///     was.
  public mutating func remove(_ id: Item.ID, until write: WorkID? = nil) {
    if let write {
      edits.add(self[id] == nil ? .none : .removal, to: id, as: write)
    } else {
      edits.drop(id)
      commit(FeedEdit(name: "", id: id, number: 0, kind: .removal))
    }
    rebuild()
  }

  /// Settles the oldest edit that waits for a write, with the write's result: it stays, or is
  /// rolled back.
  ///
  /// Other edits stay as they are, in whichever order their writes end.
  public mutating func settle<Value>(_ write: WorkID, _ result: Result<Value, any Error>) {
    switch result {
    case .success: commit(write)
    case .failure: rollBack(write)
    }
  }

  /// Keeps the oldest edit that waits for a write.
  public mutating func commit(_ write: WorkID) {
    for edit in edits.settle(write, isKept: true) { commit(edit) }
    rebuild()
  }

  /// Undoes the oldest edit that waits for a write.
  public mutating func rollBack(_ write: WorkID) {
    for edit in edits.settle(write, isKept: false) { commit(edit) }
    rebuild()
  }

  private mutating func commit(_ edit: FeedEdit<Item>) {
    // What arrives now was perhaps read before.
    if isLoading { edits.keep(edit) }
    let count = source.count
    source.apply(edit)
    if source.count > count { ids.insert(edit.id) }
    if source.count < count { ids.remove(edit.id) }
    sourceTotal = sourceTotal?.saturating(plus: source.count - count)
  }

  private mutating func rebuild() {
    items = edits.applied(to: source)
    total = sourceTotal?.saturating(plus: items.count - source.count)
    if status == .ended || status == .empty { status = items.isEmpty ? .empty : .ended }
  }

  // MARK: Transfers

  /// Forgets the list, as another one is to be shown; what is pending of its items is not
  /// forgotten.
  mutating func begin(anew start: PageKey?) {
    var edits = edits
    edits.dropInsertions()
    self = Self(start: start)
    self.edits = edits
  }

  /// Forgets what was to be inserted, as the page that is awaited is another list's.
  mutating func beginAnotherList() {
    edits.dropInsertions()
    rebuild()
  }

  /// Awaits a page; what is there stays until it comes.
  mutating func begin(_ part: FeedPart, at key: PageKey?) {
    if part == .first { start = key }
    edits.takeKept()
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
        let edits = edits
        self = Self(start: key)
        self.edits = edits
      }
      let known = ids
      status = .content
      for page in transfer.pages { add(page.page, at: page.key) }
      for edit in edits.takeKept() where !known.contains(edit.id) { commit(edit) }
      rebuild()
      status = next != nil ? .content : items.isEmpty ? .empty : .ended
      if let failure = transfer.failure { status = .failed(failure, .next) }
    }
  }

  private mutating func add(_ page: Page<Item>, at key: PageKey?) {
    if let key { keys.insert(key) }
    append(page.items)
    sourceTotal = page.total.map { max(0, $0) } ?? sourceTotal
    damages += page.damages
    isPartial = isPartial || page.isPartial
    next = page.next.flatMap { keys.contains($0) ? nil : $0 }
  }

  private mutating func append(_ items: [Item]) {
    for item in items where ids.insert(item.id).inserted { source.append(item) }
  }
}

extension Int {
  /// Adds without overflow, and not below zero: a total comes from a server, and may be any number.
  fileprivate func saturating(plus difference: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(difference)
    return isOver ? (difference > 0 ? .max : 0) : Swift.max(0, sum)
  }
}
