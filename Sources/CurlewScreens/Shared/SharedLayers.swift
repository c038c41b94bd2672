/// A settled value and the edits above it, in the order in which they were made.
struct SharedLayers<Value: Sendable>: Sendable {
  private struct Edit {
    let id: UInt64
    var change: @Sendable (inout Value) -> Void
    var isSettled = false
  }

  private(set) var base: Value
  private(set) var shown: Value
  private var edits: [Edit] = []
  private var lastID: UInt64 = 0

  init(_ value: Value) { (base, shown) = (value, value) }

  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Adds an edit that is not settled.
  mutating func add(_ id: UInt64, _ change: @escaping @Sendable (inout Value) -> Void) {
    edits.append(Edit(id: id, change: change))
    change(&shown)
  }

  /// Settles an edit; it becomes part of the settled value as soon as those before it have.
  ///
  /// - Parameter change: What it has come to.
  mutating func settle(_ id: UInt64, _ change: @escaping @Sendable (inout Value) -> Void) {
    // Where its screen has gone before the write began, it was never added.
    let index = edits.firstIndex { $0.id == id } ?? edits.endIndex
    if index == edits.endIndex { edits.append(Edit(id: id, change: change)) }
    (edits[index].change, edits[index].isSettled) = (change, true)
    show()
  }

  /// Takes an edit away.
  mutating func drop(_ id: UInt64) {
    edits.removeAll { $0.id == id }
    show()
  }

  private mutating func show() {
    while let first = edits.first, first.isSettled {
      first.change(&base)
      edits.removeFirst()
    }
    shown = base
    for edit in edits { edit.change(&shown) }
  }
}
