/// An edit of a feed's item.
struct FeedEdit<Item: Identifiable & Equatable & Sendable>: Sendable where Item.ID: Sendable {
  enum Kind: Sendable {
    case update(@Sendable (inout Item) -> Void)
    case removal
    /// An insertion after the first of the given items that the list contains, or at an index if it
    /// contains none of them.
    ///
    /// The given items precede the insertion, nearest first, and end with an item of the source,
    /// because the other items may be rolled back.
    case insertion(Item, after: [Item.ID], index: Int)
    /// An edit without an effect, because its item was missing or is in another list; it is kept so that
    /// each settled write matches its own edit.
    case none
  }

  let id: Item.ID
  var kind: Kind
  /// The failure of the edit's write, if the edit stays.
  var failure: LoadFailure?

  var isRemoval: Bool { if case .removal = kind { true } else { false } }
  var isInsertion: Bool { if case .insertion = kind { true } else { false } }
  var changesList: Bool { isRemoval || isInsertion }
}

extension Array where Element: Identifiable & Equatable & Sendable, Element.ID: Sendable {
  /// Applies an edit; does nothing if its item is missing.
  mutating func apply(_ edit: FeedEdit<Element>) {
    let index = firstIndex { $0.id == edit.id }
    switch edit.kind {
    case .none: break
    case .update(let change):
      guard let index else { return }
      var item = self[index]
      change(&item)
      // An item keeps its id.
      if item.id == edit.id { self[index] = item }
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
