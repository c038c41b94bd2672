import CurlewScreens

/// A server's list for random stories: pages that overlap, and here and there bring nothing new.
///
/// Each list has the items `0..<last` in this order, whatever the list; their text is the list's
/// name, so a test sees to which list an item belongs.
enum Library {
  static let lastPage = 6

  /// Page 1 to 6: three new items each, and the last one of the page before; the fourth page only
  /// repeats the third one, as lists do that grow at the top while they are read.
  static func page(_ number: Int, of name: String = "") -> Page<Entry> {
    let first = number < 4 ? number * 3 - 3 : number == 4 ? 6 : number * 3 - 6
    let ids = max(0, first - 1)...(first + 2)
    return Page(
      ids.map { Entry($0, name) } + [Entry(ids.upperBound, "repeated")],
      next: number < lastPage ? .number(number + 1) : nil, total: 15)
  }

  /// Says what is wrong with a list's items: each must be there once, none may be left out.
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
