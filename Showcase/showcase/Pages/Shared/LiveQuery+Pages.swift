import CurlewLive
import CurlewScreens

extension LiveQuery {
  /// The start page of a list; `nil` for the first page.
  var page: PageKey? {
    self["page"].flatMap { Int($0) }.flatMap { $0 > 1 ? .number($0) : nil }
  }

  /// The number of pages to load initially.
  var pages: Int { self["pages"].flatMap { Int($0) }.map { max(1, $0) } ?? 1 }

  /// Creates the part of a query with the number of shown pages.
  init<Item>(pagesOf list: Feed<Item>.State?) {
    let count = list?.pageCount ?? 0
    self = ["pages": count > 1 ? "\(min(count, 10))" : nil]
  }
}
