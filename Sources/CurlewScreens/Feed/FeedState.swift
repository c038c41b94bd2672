public import Foundation

extension Feed {
  /// The state of a feed, with the properties of one ``Page`` of all loaded pages: `state.items` are unique by id, with
  /// pending edits applied, and `state.asOf` is the time of the oldest page.
  @dynamicMemberLookup
  public struct State: Equatable, Sendable, LoadingState {
    /// The loaded pages as one page.
    private(set) var content: Page<Item>
    /// The loading status; a single value, so a view can't show a spinner and an error together.
    public private(set) var status: FeedStatus
    /// The page that the list begins with; `nil` for the first page.
    public private(set) var start: PageKey?
    /// The number of loaded pages from ``start`` on: with it, the list can be restored at the same position.
    public var pageCount: Int { pageKeys.count }
    /// The failures of the writes whose edits stay, by the ids of the items: see ``settle(_:_:keepsFailed:)``.
    public private(set) var failedEdits: [Item.ID: LoadFailure] = [:]
    /// The items loaded from the source, unique by id, with the edits that were settled before the transfer.
    private var source: [Item] = []
    private var sourceTotal: Int?
    private var edits = Edits<WorkID, FeedEdit<Item>>()
    /// The keys of the loaded pages in order; `nil` is the first page's key.
    var pageKeys: [PageKey?] = []
    /// The text of a ``PagedSearch`` that the items belong to; `nil` without pages, and in a feed.
    @Unobserved var term: String?
    /// The check of a live source's pages.
    @Unobserved var chain = FeedChain()
    /// The size of the largest page.
    @Unobserved private var pageSize = 0
    /// The items that the user has removed since the last page was requested: the source's later items have moved up.
    @Unobserved private var removed: Set<Item.ID> = []
    /// Whether the user has requested the transfer by a refresh, which has its own indicator.
    @Unobserved var isPulled = false
    /// Whether the next page was requested during a refresh of the first page, or while its stored value was shown.
    @Unobserved var wantsMore = false
    /// The list when the transfer began, with the request's number among the edits.
    @Unobserved private var before:
      (ticket: LoadTicket, number: UInt64, total: Int?, next: PageKey?, changesOfLast: Int)?
    var ticket: LoadTicket? { before?.ticket }

    /// Creates a feed's initial state, or any other state for a preview or a test.
    ///
    /// The status is ``FeedStatus/idle`` by default without items, else ``FeedStatus/content`` or, without a next page,
    /// ``FeedStatus/ended``. The other parameters are as in ``Page``; `start` is `nil` for the first page.
    public init(
      items: [Item] = [], start: PageKey? = nil, next: PageKey? = nil, status: FeedStatus? = nil,
      total: Int? = nil, isPartial: Bool = false, skippedEntries: [String] = [], asOf: Date? = nil
    ) {
      content = Page(
        [], next: next, isPartial: isPartial, skippedEntries: skippedEntries, asOf: asOf)
      self.status = status ?? (items.isEmpty ? .idle : next == nil ? .ended : .content)
      sourceTotal = total.map { max(0, $0) }
      self.start = start
      var ids: Set<Item.ID> = []
      append(items, &ids)
      rebuild()
    }
  }
}

extension Feed.State {
  /// A number that differs after each load.
  var loadNumber: UInt64 { edits.lastNumber }
  /// The ids of the items loaded from the source.
  var ids: Set<Item.ID> { Set(source.map(\.id)) }
  /// The ids of the items that a next page does not add.
  var knownIDs: Set<Item.ID> { ids.union(removed) }

  /// A property of the loaded pages.
  public subscript<Value>(dynamicMember property: KeyPath<Page<Item>, Value>) -> Value {
    content[keyPath: property]
  }

  /// The item with an id, with pending edits applied; `nil` when the list has no such item.
  public subscript(id: Item.ID) -> Item? { content.items.first { $0.id == id } }

  // MARK: Edits

  /// Changes an item; does nothing when the list has no such item.
  ///
  /// ```swift
  /// work.write("like \(id)") { try await api.like(id) }
  /// started: { state in state.list.update(id, until: "like \(id)") { $0.isLiked = true } }
  /// finished: { state, result, _ in state.list.settle("like \(id)", result) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The item's id, which can't be changed.
  ///   - write: The name of the write that makes the change permanent; without a name, the change lasts until the next
  ///     refresh.
  ///   - change: A closure that changes the item. It is called again for newly loaded items, so it should set a value
  ///     (`isLiked = true`), not derive it from the old value (`isLiked.toggle()`).
  public mutating func update(
    _ id: Item.ID, until write: WorkID? = nil, _ change: @escaping @Sendable (inout Item) -> Void
  ) {
    edit(id, self[id] == nil && write != nil ? .none : .update(change), until: write)
  }

  /// Inserts an item; replaces an item with the same id at its current index.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - index: The index in the items.
  ///   - write: The name of the write that makes the insertion permanent, if it may be rolled back.
  public mutating func insert(_ item: Item, at index: Int = 0, until write: WorkID? = nil) {
    let items = content.items
    let index = items.firstIndex { $0.id == item.id } ?? min(max(0, index), items.count)
    let ids = ids
    var before: [Item.ID] = []
    for item in items[..<index].reversed() {
      before.append(item.id)
      if ids.contains(item.id) { break }
    }
    // The fallback index when all of these items are gone: an index among the source's items.
    let isFirst = before.last.map { !ids.contains($0) } ?? true
    if write == nil { dropPending { $0.id == item.id && $0.changesList } }
    edit(item.id, .insertion(item, after: before, index: isFirst ? 0 : index), until: write)
  }

  /// Removes an item; does nothing when the list has no such item.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - write: The name of the write that makes the removal permanent; a rollback restores the item at its index.
  public mutating func remove(_ id: Item.ID, until write: WorkID? = nil) {
    edit(id, self[id] == nil && write != nil ? .none : .removal, until: write)
  }

  /// Turns pending edits into edits without an effect, which their writes settle.
  private mutating func dropPending(where isDropped: (FeedEdit<Item>) -> Bool) {
    for index in edits.layers.indices
    where edits.layers[index].settledAt == nil && isDropped(edits.layers[index].edit) {
      edits.layers[index].edit.kind = .none
    }
  }

  /// Adds an edit; without a write, it is settled.
  private mutating func edit(_ id: Item.ID, _ kind: FeedEdit<Item>.Kind, until write: WorkID?) {
    let edit = FeedEdit(id: id, kind: kind)
    if let write, let index = pendingEdit(write, isFailed: true) {
      edits.layers[index].edit = edit
    } else if let write {
      edits.add(edit, by: write)
    } else {
      // Beneath the item's pending updates, as a refresh is.
      let index = edits.layers.lastIndex {
        $0.settledAt != nil || $0.edit.id == id && $0.edit.changesList
      }
      let number = edits.nextNumber()
      edits.add(edit, by: "", settledAt: number, at: index.map { $0 + 1 } ?? 0)
    }
    rebuild()
  }

  /// Commits or rolls back a write's oldest pending edit, depending on the write's result.
  ///
  /// - Parameters:
  ///   - write: The name of the write.
  ///   - result: The result of the write.
  ///   - keepsFailed: Whether the edit of a failed write stays, with its failure in ``failedEdits``. The write's next edit
  ///     takes its place, as when the user sends an item again; ``rollBack(_:)`` removes it.
  public mutating func settle<Value>(
    _ write: WorkID, _ result: Result<Value, any Error>, keepsFailed: Bool = false
  ) {
    guard let index = pendingEdit(write, isFailed: false) else { return }
    switch result {
    case .success: edits.layers[index].settledAt = edits.nextNumber()
    case .failure(let error) where keepsFailed:
      edits.layers[index].edit.failure = LoadFailure(error)
    case .failure: edits.layers.remove(at: index)
    }
    rebuild()
  }

  /// Rolls back a write's failed edit, or else its oldest pending edit.
  public mutating func rollBack(_ write: WorkID) {
    let index = pendingEdit(write, isFailed: true) ?? pendingEdit(write, isFailed: false)
    if let index { edits.layers.remove(at: index) }
    rebuild()
  }

  private func pendingEdit(_ write: WorkID, isFailed: Bool) -> Int? {
    edits.layers.firstIndex { layer in
      layer.id == write && layer.settledAt == nil && (layer.edit.failure != nil) == isFailed
    }
  }

  /// Applies the settled edits to the source's items, unless a transfer is running, whose data may have been read
  /// before them.
  private mutating func rebuild() {
    failedEdits = edits.layers.reduce(into: [:]) { failures, layer in
      if let failure = layer.edit.failure { failures[layer.edit.id] = failure }
    }
    if !isLoading { commit() }
    let items = edits.layers.reduce(into: source) { $0.apply($1.edit) }
    content.items = items
    content.total = sourceTotal?.saturating(plus: items.count - source.count)
    if status == .ended || status == .empty { status = items.isEmpty ? .empty : .ended }
  }

  private mutating func commit() {
    for layer in edits.takeSettled() {
      let count = source.count
      source.apply(layer.edit)
      if source.count < count { removed.insert(layer.edit.id) }
      sourceTotal = sourceTotal?.saturating(plus: source.count - count)
    }
  }

  // MARK: Transfers

  /// Clears the list because another list will be shown; keeps pending edits except insertions.
  mutating func begin(anew start: PageKey?) {
    let edits = edits
    self = Self(start: start)
    self.edits = edits
    beginAnotherList()
  }

  /// Drops the edits of inserted items because the page being loaded belongs to another list.
  mutating func beginAnotherList() {
    let inserted = edits.layers.filter(\.edit.isInsertion).map(\.edit.id)
    edits.layers.removeAll { layer in
      inserted.contains(layer.edit.id) && (layer.settledAt != nil || layer.edit.failure != nil)
    }
    dropPending { inserted.contains($0.id) }
    rebuild()
  }

  /// Starts a transfer; the current items stay until it finishes.
  mutating func begin(_ kind: LoadKind, at key: PageKey?, _ ticket: LoadTicket) {
    commit()
    before = (ticket, edits.nextNumber(), sourceTotal, content.next, chain.changesOfLast)
    wantsMore = false
    // The chain's pages are replaced.
    if kind != .next { chain.ticket = nil }
    if kind == .first { start = key }
    (isPulled, wantsMore) = (false, false)
    status = .loading(kind)
  }

  /// Whether the last page has changed since the transfer began: the next page might not follow it.
  var hasChangedLast: Bool {
    content.next != before?.next || chain.changesOfLast != before?.changesOfLast
  }

  /// Shows an early value of the first page while its transfer continues; from now on the transfer counts as a refresh.
  mutating func show(_ page: Page<Item>, at key: PageKey?, of term: String?) {
    let (wantsMore, former) = (wantsMore, before)
    let hasSettled = edits.layers.contains { $0.settledAt != nil }
    add(.first, at: key, of: term, Feed.Transfer(pages: [(key, page)]))
    let total = hasSettled ? former?.total ?? sourceTotal : sourceTotal ?? former?.total
    (self.wantsMore, before) = (wantsMore, former)
    before?.total = total
    status = .loading(.refresh)
    rebuild()
  }

  /// Ends a cancelled transfer; the current items stay.
  mutating func cancelLoading() {
    // The start of the pages that are still displayed.
    if let first = pageKeys.first { start = first }
    status = pageKeys.isEmpty && source.isEmpty ? .idle : settledStatus
    rebuild()
  }

  /// The key to load the next page with.
  ///
  /// In a list of numbered pages, the source's items move up when the user removes items: then the next new item is on
  /// an earlier page.
  var keyOfMore: PageKey? {
    let count = removed.count + edits.layers.count(where: \.edit.isRemoval)
    guard case .number(let number)? = content.next, count > 0, pageSize > 0 else {
      return content.next
    }
    let first = start?.number ?? 1
    let back = (count + pageSize - 1) / pageSize
    return number - back > first ? .number(number - back) : start
  }

  /// Returns the state without the pages from a key on, which are loaded again; keeps their items.
  func droppingPages(from key: PageKey?) -> Self {
    var state = self
    if let index = pageKeys.firstIndex(of: key) { state.pageKeys.removeSubrange(index...) }
    return state
  }

  /// Adds the pages that a transfer loaded; a failure keeps the current items.
  mutating func finish(
    _ kind: LoadKind, at key: PageKey?, of term: String?,
    _ result: Result<Feed.Transfer, any Error>
  ) {
    switch result {
    case .failure(let error):
      status = .failed(LoadFailure(error), isLoading(.refresh) ? .refresh : kind)
    case .success where kind == .next && hasChangedLast: status = settledStatus
    case .success(let transfer):
      add(kind, at: key, of: term, transfer)
      status = settledStatus
      // If the stored page is the last page, there is no next page to retry.
      if let failure = transfer.failure {
        status = .failed(failure, content.next == nil ? .refresh : .next)
      }
    }
    rebuild()
  }

  private mutating func add(
    _ kind: LoadKind, at key: PageKey?, of term: String?, _ transfer: Feed.Transfer
  ) {
    let before = before
    var ids: Set<Item.ID> = []
    if kind == .next {
      self = droppingPages(from: key)
      // An item that was removed only here is not shown again.
      (ids, removed) = (knownIDs, [])
    } else {
      // The pages include the edits that were settled before the request.
      var edits = edits
      edits.layers.removeAll { $0.isSettled(before: before?.number ?? 0) }
      self = Self(start: key)
      self.edits = edits
      if kind == .refresh { chain.changesOfLast += 1 }
    }
    self.term = term
    for page in transfer.pages { add(page.page, at: page.key, &ids) }
    // A total that equals the total before the edits does not include them.
    if transfer.announcesTotal, let announced = sourceTotal, let former = before?.total,
      announced != former
    {
      let settled = edits.layers.filter { $0.settledAt != nil }
      let count = settled.reduce(into: source) { $0.apply($1.edit) }.count
      sourceTotal = announced.saturating(plus: source.count - count)
    }
  }

  /// Replaces the loaded pages by a live source's current pages up to its last page, if the source has all of them;
  /// after a failed first load, shows the source's first page; without one, as after a sign-out, clears the list.
  ///
  /// - Returns: Whether a page has changed, so that the displayed pages after it must be loaded again.
  mutating func update(_ live: any LiveSource<PageKey?, Page<Item>>) -> Bool {
    let keys = pageKeys.isEmpty && failed(.first) ? [start] : pageKeys
    guard let key = keys.first else { return false }
    let first = live.current(key)
    if first.shown.isIdle {
      if !isLoading { self = Self() }
      return false
    }
    var new = Self(start: start)
    var ids: Set<Item.ID> = []
    var shapes: [FeedChain.Shape] = []
    var hiding: Int?
    for (index, key) in keys.enumerated() where index == 0 || new.content.next != nil {
      let page = index == 0 ? first : live.current(key)
      guard let latest = page.shown.latest else { return false }
      new.add(Page(Dated(latest, asOf: page.shown.asOf)), at: key, &ids)
      let received = page.received ?? latest
      if received.items.count > latest.items.count { hiding = min(hiding ?? index, index) }
      shapes.append(FeedChain.Shape(received))
    }
    (new.edits, new.term, new.before, new.chain) = (edits, term, before, chain)
    let isOutdated = new.chain.compare(shapes, keys)
    new.chain.hiding = hiding
    new.status = status
    new.rebuild()
    let isCurrent = !first.shown.isLoading && first.shown.failure == nil
    if [.content, .ended, .empty].contains(status)
      || isCurrent && (failed(.first) || failed(.refresh))
    {
      new.status = new.settledStatus
    }
    self = new
    return isOutdated
  }

  /// The first page to load again because a page before it has changed; `nil` while such a load is running, or all pages
  /// are loading.
  var outdatedPage: (index: Int, key: PageKey?)? {
    guard chain.ticket?.isLive != true, !isLoading(.first), !isLoading(.refresh) else { return nil }
    return chain.next.map { ($0.index, $0.index == 0 ? start : $0.key) }
  }

  /// Records that a page was loaded again; returns whether its key has changed.
  mutating func hasLoaded(_ index: Int, at key: PageKey?) -> Bool {
    chain.hasLoaded(index)
    defer { pageKeys[index] = key }
    return pageKeys[index] != key
  }

  /// The status of a loaded list.
  private var settledStatus: FeedStatus {
    content.next != nil ? .content : content.items.isEmpty ? .empty : .ended
  }

  private mutating func add(_ page: Page<Item>, at key: PageKey?, _ ids: inout Set<Item.ID>) {
    pageSize = max(pageSize, page.items.count + page.skippedEntries.count)
    pageKeys.append(key)
    append(page.items, &ids)
    sourceTotal = page.total.map { max(0, $0) } ?? sourceTotal
    content.skippedEntries += page.skippedEntries
    content.isPartial = content.isPartial || page.isPartial
    content.asOf = [content.asOf, page.asOf].compactMap(\.self).min()
    // The pages of a faulty source may form a cycle.
    content.next = pageKeys.contains(page.next) ? nil : page.next
  }

  private mutating func append(_ items: [Item], _ ids: inout Set<Item.ID>) {
    for item in items where ids.insert(item.id).inserted { source.append(item) }
  }
}

extension Int {
  /// Returns the sum, clamped to `0...Int.max`: a server may send any number as its total.
  fileprivate func saturating(plus difference: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(difference)
    return overflow ? (difference > 0 ? .max : 0) : Swift.max(0, sum)
  }
}
