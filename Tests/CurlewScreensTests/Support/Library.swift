import CurlewScreens

/// A server's list for random stories: pages overlap, and some bring nothing new.
///
/// Each list has the items `0..<last` in this order. An item's text is the list's name, so tests see which list an item
/// belongs to.
enum Library {
  static let lastPage = 6

  /// Returns page 1 to 6: three new items, after the last item of the page before.
  ///
  /// The fourth page only repeats the third page, like a list that grows at the top while it is read.
  static func page(_ number: Int, of name: String = "") -> Page<Entry> {
    let first = number < 4 ? number * 3 - 3 : number == 4 ? 6 : number * 3 - 6
    let ids = max(0, first - 1)...(first + 2)
    return Page(
      ids.map { Entry($0, name) } + [Entry(ids.upperBound, "repeated")],
      next: number < lastPage ? .number(number + 1) : nil, total: 15)
  }

  /// Returns a problem of a list's items: each must occur once, without gaps.
  static func problem(
    with list: Feed<Entry>.State, of name: String = "", isLater: Bool = false
  ) -> String? {
    let ids = list.items.map(\.id)
    if Set(ids).count != ids.count { return "an item twice: \(ids)" }
    if !isLater, list.items.contains(where: { $0.text != name }) {
      return "items of another list than \(name): \(list.items)"
    }
    if let first = ids.first {
      if ids != Array(first..<first + ids.count) { return "items are missing: \(ids)" }
      let start = page(list.start?.number ?? 1).items[0].id
      if !isLater, first != start { return "begins with \(first), not with \(start)" }
    }
    switch list.status {
    case .ended where list.next != nil || ids.last != 14: return "no end: \(list)"
    case .content where list.next == nil: return "ended unseen: \(list)"
    case .empty where !ids.isEmpty: return "empty with items: \(list)"
    case .idle where !ids.isEmpty: return "idle with items: \(list)"
    default: return nil
    }
  }
}
