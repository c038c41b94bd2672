/// A pending edit of a feed's item.
struct FeedEdit<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  enum Kind: Sendable {
    case update(@Sendable (inout Item) -> Void)
    case removal
    /// An insertion after the first of the given items that the list contains, or at an index if it
    /// contains none of them.
    ///
    /// The given items precede the insertion, nearest first, and end with an item of the source,
    /// because the other items may be rolled back.
    case insertion(Item, after: [Item.ID], index: Int)
    /// An edit without an effect, because it was dropped or its item was missing; it is kept so that
    /// each settled write matches its own edit.
    case none
  }

  /// The name of the write.
  var name: WorkID = ""
  let id: Item.ID
  /// A number unique within the feed, for comparison: the closure in `kind` can't be compared.
  var number = 0
  var kind: Kind
  /// Whether the edit's write has succeeded.
  var isSettled = false

  static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.number, lhs.name, lhs.id) == (rhs.number, rhs.name, rhs.id)
  }

  var isInsertion: Bool {
    if case .insertion = kind { true } else { false }
  }
}

/// The pending edits of a feed's items.
///
/// Edits are applied in order to the source's items. The source's items can change meanwhile, and each
/// edit can be rolled back separately.
struct FeedEdits<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  private(set) var pending: [FeedEdit<Item>] = []
  /// The edits committed during a transfer, whose data may have been read before the edits.
  var kept: [FeedEdit<Item>] = []
  @Unobserved private var lastNumber = 0

  mutating func add(_ kind: FeedEdit<Item>.Kind, to id: Item.ID, as name: WorkID) {
    lastNumber += 1
    pending.append(FeedEdit(name: name, id: id, number: lastNumber, kind: kind))
  }

  /// Settles the oldest unsettled edit with a name; returns the edits that can now be applied to
  /// the source's items, in order.
  ///
  /// Writes may finish out of order. A settled edit waits for the earlier edits of its item, and an
  /// insertion also waits for the earlier insertions.
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

  /// Changes an item whose insertion is pending.
  mutating func update(_ id: Item.ID, _ change: (inout Item) -> Void) {
    for index in pending.indices where pending[index].id == id {
      if case .insertion(let item, let previous, let offset) = pending[index].kind {
        pending[index].kind = .insertion(
          item.changed(by: change), after: previous, index: offset)
      }
    }
  }

  /// Drops the insertions and removals of an item, and by default its updates.
  mutating func drop(_ id: Item.ID, updates: Bool = true) {
    drop { edit in
      if !updates, case .update = edit.kind { return false }
      return edit.id == id
    }
    kept.removeAll { $0.id == id }
  }

  /// Drops the edits that match a predicate: removes settled edits, and turns the others into edits
  /// without an effect.
  private mutating func drop(where isDropped: (FeedEdit<Item>) -> Bool) {
    pending.removeAll { $0.isSettled && isDropped($0) }
    for index in pending.indices where isDropped(pending[index]) { pending[index].kind = .none }
  }

  /// Drops the edits that don't apply to another list: the edits of items whose insertion is pending,
  /// and the kept edits.
  mutating func dropInsertions() {
    let inserted = pending.filter(\.isInsertion).map(\.id)
    drop { inserted.contains($0.id) }
    kept = []
  }
}

extension Array where Element: Identifiable & Equatable & Sendable, Element.ID: Sendable {
  /// Applies an edit; does nothing if its item is missing.
  mutating func apply(_ edit: FeedEdit<Element>) {
    let index = firstIndex { $0.id == edit.id }
    switch edit.kind {
    case .none: break
    case .update(let change):
      if let index { self[index] = self[index].changed(by: change) }
    case .removal:
      if let index { remove(at: index) }
    case .insertion(let item, let previous, let offset):
      if let index {
        self[index] = item
      } else {
        let items = self
        let before = previous.lazy.compactMap { id in items.firstIndex { $0.id == id } }.first
        insert(item, at: before.map { $0 + 1 } ?? Swift.min(offset, count))
      }
    }
  }
}

extension Identifiable {
  /// Returns the changed item, or the unchanged item when the change altered its id.
  func changed(by change: (inout Self) -> Void) -> Self {
    var item = self
    change(&item)
    return item.id == id ? item : self
  }
}
