/// Finds the elements of a list by their ids.
///
/// The functions are specialized in the module that uses this type, where the list's type is known: a
/// search of 1,000 rows by generic code takes 100 times as long.
@usableFromInline
struct ListIDs<List>: Sendable
where List: RandomAccessCollection & Sendable, List.Element: Identifiable, List.Element.ID: Sendable
{
  /// Returns the offset of the element with an id, searching outwards from a hint.
  @usableFromInline let offset: @Sendable (_ list: List, _ id: List.Element.ID, _ hint: Int) -> Int?
  /// Returns whether two lists have the same ids in the same order.
  @usableFromInline let areSame: @Sendable (_ one: List, _ other: List) -> Bool

  @inlinable
  init() {
    offset = { list, id, hint in list.offset(of: id, near: hint) }
    areSame = { one, other in
      one.count == other.count
        && (one.sharesStorage(with: other) == true
          || zip(one.indices, other.indices).allSatisfy { one[$0].id == other[$1].id })
    }
  }
}

extension RandomAccessCollection where Element: Identifiable {
  /// Returns the offset of an element from the start, searching outwards from a hint.
  @inlinable
  func offset(of id: Element.ID, near hint: Int) -> Int? {
    let count = count
    var (above, below) = (Swift.min(hint, count), Swift.min(hint, count))
    while above < count || below > 0 {
      if above < count {
        if self[index(startIndex, offsetBy: above)].id == id { return above }
        above += 1
      }
      if below > 0 {
        below -= 1
        if self[index(startIndex, offsetBy: below)].id == id { return below }
      }
    }
    return nil
  }
}

extension RandomAccessCollection {
  /// Whether this list and another are in one place in memory, and therefore the same; `nil` if it can't be told.
  @inlinable
  func sharesStorage(with other: Self) -> Bool? {
    withContiguousStorageIfAvailable { elements in
      other.withContiguousStorageIfAvailable {
        elements.baseAddress == $0.baseAddress && elements.count == $0.count
      }
    } ?? nil
  }
}

extension RandomAccessCollection where Self: Equatable, Element: Equatable {
  /// Returns the offsets of the elements that differ from the elements at the same offsets of another
  /// list.
  @inlinable
  func changes(from old: Self) -> [Int] {
    // Not `self == old` for an array, which compares the elements once more.
    if sharesStorage(with: old) ?? (self == old) { return [] }
    var changes: [Int] = []
    var (index, oldIndex) = (startIndex, old.startIndex)
    // Twice as fast as `zip` and `enumerated`, for each event of a long list.
    for offset in 0..<Swift.min(count, old.count) {
      if self[index] != old[oldIndex] { changes.append(offset) }
      formIndex(after: &index)
      old.formIndex(after: &oldIndex)
    }
    return changes + (Swift.min(count, old.count)..<count)
  }
}
