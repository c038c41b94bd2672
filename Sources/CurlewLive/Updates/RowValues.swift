/// The values of rows: an item and an extra for each.
@usableFromInline
struct RowValues<Item: Equatable & Sendable, Extra: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Match = @Sendable (Self, Self) -> RowMatch

  @usableFromInline let items: [Item]
  @usableFromInline let extras: [Extra]

  @inlinable
  init(_ items: [Item], _ extras: [Extra]) { (self.items, self.extras) = (items, extras) }

  /// Returns whether a row shows what one of another state did.
  @inlinable
  func isSame(_ index: Int, as oldIndex: Int, of old: Self) -> Bool {
    items[index] == old.items[oldIndex] && extras[index] == old.extras[oldIndex]
  }

  /// Returns which rows are those of another state.
  ///
  /// It is inlined into the module of the page, which knows the types: it would take ten times as long in this one.
  @inlinable
  func match(from old: Self) -> RowMatch {
    var match = RowMatch()
    let haveSameCount = items.count == old.items.count
    // Items in the same memory need not be compared.
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

/// Which rows of two states are the same: those before the middle, and those after it.
@usableFromInline
struct RowMatch {
  @usableFromInline var middle = 0..<0
  @usableFromInline var oldMiddle = 0..<0
  /// Where there are as many rows as before: those that differ from the one that was there.
  @usableFromInline var changed: [Int] = []

  @inlinable
  init() {}

  var isSame: Bool { middle.isEmpty && oldMiddle.isEmpty }
}
