/// The items that a feed's source has brought, each once, with the edits that are settled.
struct FeedSource<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  private(set) var items: [Item] = []
  private(set) var ids: Set<Item.ID> = []
  /// How many items the whole list has, where its source tells.
  private(set) var total: Int?

  init(_ items: [Item], total: Int?) {
    append(items, total: total)
  }

  mutating func append(_ more: [Item], total: Int?) {
    for item in more where ids.insert(item.id).inserted { items.append(item) }
    self.total = total ?? self.total
  }

  mutating func update(_ id: Item.ID, _ change: (inout Item) -> Void) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    items[index] = items[index].changed(by: change) ?? items[index]
  }

  mutating func insert(_ item: Item, after id: Item.ID?) {
    guard ids.insert(item.id).inserted else { return update(item.id) { $0 = item } }
    items.insert(item, after: id)
    total = total.map { $0 + 1 }
  }

  mutating func remove(_ id: Item.ID) {
    guard ids.remove(id) != nil else { return }
    items.removeAll { $0.id == id }
    total = total.map { max(0, $0 - 1) }
  }

  mutating func apply(_ edit: FeedEdit<Item>, to id: Item.ID) {
    switch edit {
    case .update(let item): update(id) { $0 = item }
    case .removal: remove(id)
    case .insertion(let item, let place): insert(item, after: place)
    }
  }
}

/// What becomes of one item.
enum FeedEdit<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  case update(Item)
  case removal
  case insertion(Item, after: Item.ID?)
}

/// The edits of a feed's items whose writes are running.
///
/// They lie over what the source brings, so that this can change below them, and each can be taken away.
struct FeedEdits<Item: Identifiable & Equatable & Sendable>: Equatable, Sendable
where Item.ID: Sendable {
  /// The pending edits of each item, the oldest first; the last one is what is shown.
  private var pending: [Item.ID: [FeedEdit<Item>]] = [:]
  /// The items with pending insertions, in their order.
  private var inserted: [Item.ID] = []
  /// The edits that were settled while a transfer was in flight.
  private var kept: [Item.ID: FeedEdit<Item>] = [:]

  mutating func add(_ edit: FeedEdit<Item>, to id: Item.ID) {
    var edit = edit
    // What was inserted and then changed is still to be inserted.
    if case .update(let item) = edit, case .insertion(_, let place) = pending[id]?.last {
      edit = .insertion(item, after: place)
    }
    if case .insertion = edit, !inserted.contains(id) { inserted.append(id) }
    pending[id, default: []].append(edit)
  }

  /// Takes out the oldest pending edit of an item.
  mutating func settle(_ id: Item.ID) -> FeedEdit<Item>? {
    guard let edit = pending[id]?.removeFirst() else { return nil }
    if pending[id]?.isEmpty == true { drop(id) }
    return edit
  }

  /// Forgets the pending edits of an item.
  mutating func drop(_ id: Item.ID) {
    pending[id] = nil
    inserted.removeAll { $0 == id }
  }

  /// Changes what the pending edits of an item show.
  mutating func update(_ id: Item.ID, _ change: (inout Item) -> Void) {
    guard let edits = pending[id] else { return }
    pending[id] = edits.map { edit in
      switch edit {
      case .removal: .removal
      case .update(let item): .update(item.changed(by: change) ?? item)
      case .insertion(let item, let place):
        .insertion(item.changed(by: change) ?? item, after: place)
      }
    }
  }

  mutating func keep(_ edit: FeedEdit<Item>, of id: Item.ID) {
    kept[id] = edit
  }

  /// Forgets the edits that were kept, and returns them.
  @discardableResult
  mutating func dropKept() -> [Item.ID: FeedEdit<Item>] {
    defer { kept = [:] }
    return kept
  }

  /// The edits that make sense in another list, too.
  var withoutInsertions: Self {
    var edits = self
    for id in inserted { edits.drop(id) }
    return edits
  }

  /// Returns the items as they are shown.
  func applied(to source: FeedSource<Item>) -> [Item] {
    guard !pending.isEmpty else { return source.items }
    var items = source.items.compactMap { item in
      switch pending[item.id]?.last {
      case nil: item
      case .removal: nil
      case .update(let edited), .insertion(let edited, _): edited
      }
    }
    for id in inserted where !source.ids.contains(id) {
      if case .insertion(let item, let place) = pending[id]?.last {
        items.insert(item, after: place)
      }
    }
    return items
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

extension Array where Element: Identifiable {
  /// Inserts an element behind another one, or at the beginning without one.
  fileprivate mutating func insert(_ element: Element, after id: Element.ID?) {
    let index = id.flatMap { id in firstIndex { $0.id == id } }
    insert(element, at: index.map { $0 + 1 } ?? startIndex)
  }
}
