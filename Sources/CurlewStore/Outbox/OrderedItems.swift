/// Items in the order in which they were appended, found by their ids.
struct OrderedItems<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private var slots: [Item?] = []
  private var indices: [Item.ID: Int] = [:]

  var all: [Item] { slots.compactMap(\.self) }
  var count: Int { indices.count }

  /// The item with an id; a new one is appended, `nil` removes it.
  subscript(id: Item.ID) -> Item? {
    get { indices[id].flatMap { slots[$0] } }
    set {
      guard let index = indices[id] else {
        guard let newValue else { return }
        indices[id] = slots.count
        return slots.append(newValue)
      }
      slots[index] = newValue
      guard newValue == nil else { return }
      indices[id] = nil
      guard slots.count > 32, slots.count > 2 * indices.count else { return }
      slots.removeAll { $0 == nil }
      for (index, item) in all.enumerated() { indices[item.id] = index }
    }
  }

  /// Returns whether an item is before another one.
  func isOrdered(_ id: Item.ID, before other: Item.ID) -> Bool {
    indices[id] ?? .max < indices[other] ?? .max
  }
}
