import CurlewLive
import CurlewScreens

extension LiveQuery {
  /// The page that a list is to begin with; `nil` for the first.
  var page: PageKey? {
    self["page"].flatMap { Int($0) }.flatMap { $0 > 1 ? .number($0) : nil }
  }

  /// How many pages a list is to begin with.
  var pages: Int { self["pages"].flatMap { Int($0) }.map { max(1, $0) } ?? 1 }

  /// The part of an address that says how many pages of a list were shown.
  init<Item>(pagesOf list: Feed<Item>.State?) {
    let count = list?.pageCount ?? 0
    self = ["pages": count > 1 ? "\(min(count, 10))" : nil]
  }
}
