/// A settled value and the unsettled edits above it, in the order in which they were made.
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
  /// Whether the settled value is known: edits of a value whose file can't be read yet stay layers.
  private var isLoaded: Bool

  init(_ value: Value, isLoaded: Bool = true) {
    (base, shown, self.isLoaded) = (value, value, isLoaded)
  }

  /// Moves the edits to the stored value; `nil` if there is none.
  mutating func load(_ stored: Value?) {
    (base, isLoaded) = (stored ?? base, true)
    show()
  }

  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Adds an unsettled edit, unless it has been added.
  mutating func add(_ id: UInt64, _ change: @escaping @Sendable (inout Value) -> Void) {
    if edits.contains(where: { $0.id == id }) { return }
    edits.append(Edit(id: id, change: change))
    change(&shown)
  }

  /// Settles an edit; it becomes part of the settled value as soon as all earlier edits have been
  /// settled.
  ///
  /// - Parameter change: The final change, which replaces the edit.
  mutating func settle(_ id: UInt64, _ change: @escaping @Sendable (inout Value) -> Void) {
    // The edit was never added if its screen disappeared before the write began.
    let index = edits.firstIndex { $0.id == id } ?? edits.endIndex
    if index == edits.endIndex { edits.append(Edit(id: id, change: change)) }
    (edits[index].change, edits[index].isSettled) = (change, true)
    show()
  }

  /// Removes an edit.
  mutating func drop(_ id: UInt64) {
    edits.removeAll { $0.id == id }
    show()
  }

  private mutating func show() {
    while isLoaded, let first = edits.first, first.isSettled {
      first.change(&base)
      edits.removeFirst()
    }
    shown = base
    for edit in edits { edit.change(&shown) }
  }
}
