/// The values of rows: an item and an extra value for each row.
@usableFromInline
struct RowValues<Item: Equatable & Sendable, Extra: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Match = @Sendable (Self, Self) -> RowMatch

  @usableFromInline let items: [Item]
  @usableFromInline let extras: [Extra]

  @inlinable
  init(_ items: [Item], _ extras: [Extra]) { (self.items, self.extras) = (items, extras) }

  /// Returns whether a row has the same values as a row of an old state.
  @inlinable
  func isSame(_ index: Int, as oldIndex: Int, of old: Self) -> Bool {
    items[index] == old.items[oldIndex] && extras[index] == old.extras[oldIndex]
  }

  /// Returns the rows that differ from an old state.
  ///
  /// The function is inlined into the page's module, which knows the types: in this module, it would take ten times as
  /// long.
  @inlinable
  func match(from old: Self) -> RowMatch {
    var match = RowMatch()
    let haveSameCount = items.count == old.items.count
    // Arrays in the same memory have the same items.
    let areSameItems =
      haveSameCount
      && items.withUnsafeBufferPointer { new in
        old.items.withUnsafeBufferPointer { new.baseAddress == $0.baseAddress }
      }
    if areSameItems, extras == old.extras { return match }
    let count = min(items.count, old.items.count)
    var (prefix, suffix) = (0, 0)
    while prefix < count, isSame(prefix, as: prefix, of: old) { prefix += 1 }
    while suffix < count - prefix,
      isSame(items.count - 1 - suffix, as: old.items.count - 1 - suffix, of: old)
    {
      suffix += 1
    }
    match.middle = prefix..<items.count - suffix
    match.oldMiddle = prefix..<old.items.count - suffix
    if haveSameCount {
      match.changed = match.middle.filter { !isSame($0, as: $0, of: old) }
    }
    return match
  }
}

/// The rows that two states have in common: the rows before the middle, and the rows after it.
@usableFromInline
struct RowMatch {
  @usableFromInline var middle = 0..<0
  @usableFromInline var oldMiddle = 0..<0
  /// The rows in the middle that differ from the old row with the same index; empty if the number of rows has changed.
  @usableFromInline var changed: [Int] = []

  @inlinable
  init() {}

  var isSame: Bool { middle.isEmpty && oldMiddle.isEmpty }
}
