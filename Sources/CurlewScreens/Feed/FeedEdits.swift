/// An edit of a feed's item whose write is running.
struct FeedEdit<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  enum Kind: Sendable {
    case update(@Sendable (inout Item) -> Void)
    case removal
    /// Behind another item, or where that is missing, at an index.
    case insertion(Item, after: Item.ID?, index: Int)
    /// One that was dropped, or had no item: it only takes its turn when its write is settled.
    case none
  }

  /// The name of the write.
  let name: WorkID
  let id: Item.ID
  /// Tells it from every other edit of the feed: what it does can't be compared.
  let number: Int
  var kind: Kind
  /// Whether its write has succeeded.
  var isSettled = false

  static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.number, lhs.name, lhs.id) == (rhs.number, rhs.name, rhs.id)
  }

  var isInsertion: Bool {
    if case .insertion = kind { true } else { false }
  }
}

/// The edits of a feed's items whose writes are running.
///
/// They are applied in their order to what the source brings, so that this can change below them,
/// and each can be taken away.
struct FeedEdits<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  private(set) var pending: [FeedEdit<Item>] = []
  /// The edits that were committed while a transfer was in flight, which may have read what was
  /// before.
  private var kept: [FeedEdit<Item>] = []
  private var lastNumber = 0

  mutating func add(_ kind: FeedEdit<Item>.Kind, to id: Item.ID, as name: WorkID) {
    lastNumber += 1
    pending.append(FeedEdit(name: name, id: id, number: lastNumber, kind: kind))
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.pending == rhs.pending && lhs.kept == rhs.kept
  }

  /// Settles the oldest edit with a name that is not settled yet; returns the edits that can become
  /// part of the source now, in their order.
  ///
  /// Writes may end in another order than that of their edits. What came later stays on top: it
  /// waits for the earlier edits of its item, and an insertion for the earlier insertions.
  mutating func settle(_ name: WorkID, isKept: Bool) -> [FeedEdit<Item>] {
    guard let index = pending.firstIndex(where: { $0.name == name && !$0.isSettled }) else {
      return []
    }
    if isKept { pending[index].isSettled = true } else { pending.remove(at: index) }
    var settled: [FeedEdit<Item>] = []
    var open: Set<Item.ID> = []
    var hasOpenInsertion = false
    pending.removeAll { edit in
      if edit.isSettled, !open.contains(edit.id), !(edit.isInsertion && hasOpenInsertion) {
        settled.append(edit)
        return true
      }
      if case .none = edit.kind { return false }
      open.insert(edit.id)
      hasOpenInsertion = hasOpenInsertion || edit.isInsertion
      return false
    }
    return settled
  }

  /// Changes an item that is still to be inserted.
  mutating func update(_ id: Item.ID, _ change: (inout Item) -> Void) {
    for index in pending.indices where pending[index].id == id {
      if case .insertion(let item, let place, let offset) = pending[index].kind {
        pending[index].kind = .insertion(
          item.changed(by: change) ?? item, after: place, index: offset)
      }
    }
  }

  /// Forgets all edits of an item.
  mutating func drop(_ id: Item.ID) {
    drop { $0.id == id }
    forgetKept(id)
  }

  /// Forgets whether an item is to be inserted or removed.
  mutating func dropPresence(_ id: Item.ID) {
    drop { edit in
      switch edit.kind {
      case .insertion, .removal: edit.id == id
      case .update, .none: false
      }
    }
    forgetKept(id)
  }

  /// Those whose writes are running keep their turns.
  private mutating func drop(where isDropped: (FeedEdit<Item>) -> Bool) {
    pending.removeAll { $0.isSettled && isDropped($0) }
    for index in pending.indices where isDropped(pending[index]) { pending[index].kind = .none }
  }

  mutating func forgetKept(_ id: Item.ID) {
    kept.removeAll { $0.id == id }
  }

  mutating func keep(_ edit: FeedEdit<Item>) {
    kept.append(edit)
  }

  /// Forgets the edits that were kept, and returns them in their order.
  @discardableResult
  mutating func takeKept() -> [FeedEdit<Item>] {
    defer { kept = [] }
    return kept
  }

  /// Forgets what makes no sense in another list: what was to be inserted into this one.
  mutating func dropInsertions() {
    let inserted = pending.filter(\.isInsertion).map(\.id)
    drop { inserted.contains($0.id) }
    kept = []
  }

  /// Returns the items as they are shown.
  func applied(to items: [Item]) -> [Item] {
    pending.reduce(into: items) { $0.apply($1) }
  }
}

extension Array where Element: Identifiable & Equatable & Sendable, Element.ID: Sendable {
  /// Makes an edit; what it has no item for is left out.
  mutating func apply(_ edit: FeedEdit<Element>) {
    let index = firstIndex { $0.id == edit.id }
    switch edit.kind {
    case .none: break
    case .update(let change):
      if let index { self[index] = self[index].changed(by: change) ?? self[index] }
    case .removal:
      if let index { remove(at: index) }
    case .insertion(let item, let place, let offset):
      if let index {
        self[index] = item
      } else {
        let behind = place.flatMap { id in firstIndex { $0.id == id } }
        insert(item, at: behind.map { $0 + 1 } ?? Swift.min(offset, count))
      }
    }
  }
}

extension Identifiable {
  /// Returns the changed item; `nil` when the change was of its id.
  func changed(by change: (inout Self) -> Void) -> Self? {
    var item = self
    change(&item)
    return item.id == id ? item : nil
  }
}
