package import CurlewLive
import CurlewScreens
import Foundation

/// The state of a paginated list apart from its rows.
struct ListView: TemplateValues {
  /// Whether nothing was requested yet.
  let isIdle: Bool
  /// Whether the list itself is loading; loading the next page is shown below the last row.
  let isLoading: Bool
  /// Whether a placeholder is shown, because the first load takes long.
  let isSkeleton: Bool
  let isEmpty: Bool
  let hasRows: Bool
  /// Whether the rows are outdated, or belong to another request.
  let isOld: Bool
  let isPartial: Bool
  /// The list's own address, for a retry.
  let retry: String
  /// The address of the first page, if the list ends before its start page.
  let pastEnd: String?
  /// The address of the previous page, if the list doesn't start with the first page.
  let previous: String?
  let more: MoreView?
  let end: String?
  let leftOut: LeftOut?
  let age: AgeView?
  let activity: ActivityView

  static let names: TemplateNames<Self> = [
    "isIdle": \.isIdle, "isLoading": \.isLoading, "isSkeleton": \.isSkeleton,
    "isEmpty": \.isEmpty, "hasRows": \.hasRows, "isOld": \.isOld, "isPartial": \.isPartial,
    "retry": \.retry, "pastEnd": \.pastEnd, "previous": \.previous, "more": \.more,
    "end": \.end, "leftOut": \.leftOut, "age": \.age, "activity": \.activity,
  ]

  /// - Parameters:
  ///   - count: The number of shown items; all by default.
  ///   - failed: The title of an alert about a failed load.
  ///   - address: Returns the address of the list starting at a page; `nil` is the first page.
  init<Item>(
    _ list: Feed<Item>.State, showing count: Int? = nil, _ activity: ScreenActivity,
    now: Date, failed: String? = nil,
    address: (Int?) -> String
  ) {
    let isReplaced = list.status.kind == .first
    let count = count ?? list.items.count
    hasRows = count > 0
    retry = address(list.start?.number)
    isIdle = list.status == .idle
    isLoading = list.isLoading && list.status != .loading(.next)
    isSkeleton = !activity.loading.isEmpty && list.isLoading && !hasRows
    let isAllHidden = !hasRows && !list.items.isEmpty && list.next == nil && !list.isLoading
    isEmpty = (list.status == .empty || isAllHidden) && list.start == nil
    isOld = hasRows && (isReplaced || list.status == .loading(.refresh))
    isPartial = list.isPartial && !isReplaced
    pastEnd = list.status == .empty && list.start != nil ? address(nil) : nil
    previous = list.start?.number.map { address($0 > 2 ? $0 - 1 : nil) }
    more =
      isReplaced || list.items.isEmpty
      ? nil
      : list.next?.number.map {
        MoreView(list, href: address($0), isBusy: !activity.loading.isEmpty)
      }
    end = list.status == .ended && hasRows ? list.end(showing: count) : nil
    leftOut = LeftOut(list.skippedEntries)
    age =
      hasRows ? AgeView(asOf: list.asOf, isOffline: activity.isOffline, now: now) : nil
    self.activity = ActivityView(
      activity, failure: list.failure, isEmpty: !hasRows, retry: retry, failed: failed)
  }
}

/// The link to the next page of a list.
struct MoreView: TemplateValues {
  let href: String
  let isLoading: Bool
  let isFailed: Bool
  /// The identifier of the last item; the next page is loaded when this item is about to become
  /// visible.
  let last: String?
  /// The text of the link.
  var title: String {
    isLoading ? "Loading…" : isFailed ? "Retry the next page" : "Next page"
  }

  static let names: TemplateNames<Self> = [
    "href": \.href, "isLoading": \.isLoading, "isFailed": \.isFailed, "last": \.last,
    "title": \.title,
  ]

  init<Item>(_ list: Feed<Item>.State, href: String, isBusy: Bool) {
    self.href = href
    isLoading = isBusy && list.status == .loading(.next)
    isFailed = list.failure != nil && list.status.kind == .next
    last =
      list.status == .content || list.status == .loading(.next)
      ? list.items.last.map { "\($0.id)" } : nil
  }
}

/// The skipped entries of a list, which could not be decoded.
package struct LeftOut: TemplateValues {
  /// A sentence with the number of entries.
  let summary: String
  /// Messages about the first entries.
  let entries: [String]

  package static let names: TemplateNames<Self> = ["summary": \.summary, "entries": \.entries]

  /// Creates the view of entries from one sentence each; returns `nil` if there are none.
  init?(_ entries: [String]) {
    guard !entries.isEmpty else { return nil }
    summary =
      entries.count == 1
      ? "1 entry can’t be shown."
      : "\(entries.count.grouped) entries can’t be shown."
    self.entries = entries.firstTexts { $0 }
  }
}

extension Feed.State {
  /// Returns the text that a screen reader announces for a list.
  ///
  /// - Parameters:
  ///   - shown: The number of shown items; all by default.
  ///   - idle: The text before the first request.
  ///   - loading: The text while the first page loads.
  ///   - empty: The text for an empty list.
  ///   - failed: The text if the first page failed to load.
  ///   - older: A description of the shown items, if they belong to an earlier request.
  ///   - content: Returns the text for the number of items in the whole list.
  func status(
    showing shown: Int? = nil, idle: String = "", loading: String, empty: String, failed: String,
    older: String? = nil, content: (Int) -> String
  ) -> String {
    let count = shown ?? self.items.count
    let isOther = !self.items.isEmpty && self.status.kind == .first
    let older = isOther ? " Still showing \(older ?? "the previous list")." : ""
    switch status {
    case .idle: return idle
    case .loading(let part) where part != .next: return loading + older
    case .empty: return start == nil ? empty : "This page is past the end of the list."
    case .failed(_, .next): return "\(count.grouped) are shown; the next page could not be loaded."
    case .failed: return failed + older
    case .content, .ended, .loading:
      let total = self.total.map { $0 - self.items.count + count } ?? count
      return content(total) + (count < total ? ", \(count.grouped) shown" : "")
    }
  }

  /// Returns the text below the last row of a complete list.
  fileprivate func end(showing count: Int) -> String {
    guard start == nil, self.skippedEntries.isEmpty,
      self.total.map({ $0 <= self.items.count }) ?? true
    else {
      return "This is the end of the list."
    }
    return count == 1 ? "This is the only entry." : "All \(count) are shown."
  }
}
