package import CurlewLive
import CurlewScreens
import Foundation

/// What is around the rows of a list that comes in pages.
struct ListView: TemplateValues {
  /// Whether nothing was asked for.
  let isIdle: Bool
  /// Whether the list itself is loading; what is added to it shows that below its last row.
  let isLoading: Bool
  /// Whether nothing is there yet, and that takes its time.
  let isSkeleton: Bool
  let isEmpty: Bool
  let hasRows: Bool
  /// Whether the rows are those of something else, or not the newest.
  let isOld: Bool
  let isPartial: Bool
  /// The list's own address, which asks for it again.
  let retry: String
  /// The address of the first page, where the list ends before the one that it was to begin with.
  let pastEnd: String?
  /// The page before, where the list begins in the middle.
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
  ///   - count: How many of its items are shown; all by default.
  ///   - failed: Says what failed, if a load did.
  ///   - address: Returns the address at which the list begins with a page, `nil` for the first.
  init<Inner, Item>(
    _ list: Feed<Item>.State, showing count: Int? = nil, of tracked: Tracked<Inner>.State,
    now: Date, failed: String? = nil,
    address: (Int?) -> String
  ) {
    let isReplaced = list.isLoading(.first) || list.status.failedLoad == .first
    let count = count ?? list.items.count
    hasRows = count > 0
    retry = address(list.start?.number)
    isIdle = list.status == .idle
    isLoading = list.isLoading && !list.isLoading(.next)
    isSkeleton = tracked.activity.isVisible && list.isLoading && !hasRows
    let isAllHidden = !hasRows && !list.items.isEmpty && list.next == nil && !list.isLoading
    isEmpty = (list.status == .empty || isAllHidden) && list.start == nil
    isOld = hasRows && (isReplaced || list.isLoading(.refresh))
    isPartial = list.isPartial && !isReplaced
    pastEnd = list.status == .empty && list.start != nil ? address(nil) : nil
    previous = list.start?.number.map { address($0 > 2 ? $0 - 1 : nil) }
    more =
      isReplaced || list.items.isEmpty
      ? nil
      : list.next?.number.map {
        MoreView(list, href: address($0), isBusy: tracked.activity.isVisible)
      }
    end = list.status == .ended && hasRows ? list.end(showing: count) : nil
    leftOut = LeftOut(list.skippedEntries)
    age =
      hasRows ? AgeView(asOf: list.asOf, isOffline: tracked.content.isOffline, now: now) : nil
    activity = ActivityView(
      tracked.activity, failure: list.failure, isEmpty: !hasRows, retry: retry, failed: failed)
  }
}

/// The link to the next page of a list.
struct MoreView: TemplateValues {
  let href: String
  let isLoading: Bool
  let isFailed: Bool
  /// The last item; the next page is wanted when it comes near.
  let last: String?
  /// What the link says.
  var title: String {
    isLoading ? "Loading…" : isFailed ? "Try the next page again" : "Next page"
  }

  static let names: TemplateNames<Self> = [
    "href": \.href, "isLoading": \.isLoading, "isFailed": \.isFailed, "last": \.last,
    "title": \.title,
  ]

  init<Item>(_ list: Feed<Item>.State, href: String, isBusy: Bool) {
    self.href = href
    isLoading = isBusy && list.isLoading(.next)
    isFailed = list.status.failedLoad == .next
    last =
      list.status == .content || list.isLoading(.next) ? list.items.last.map { "\($0.id)" } : nil
  }
}

/// The entries that are missing in a list because they could not be read.
package struct LeftOut: TemplateValues {
  /// Says how many there are.
  let summary: String
  /// The first of them.
  let entries: [String]

  package static let names: TemplateNames<Self> = ["summary": \.summary, "entries": \.entries]

  /// Describes entries, a sentence each; `nil` for none.
  init?(_ entries: [String]) {
    guard !entries.isEmpty else { return nil }
    summary =
      entries.count == 1
      ? "1 entry could not be read and was left out."
      : "\(entries.count.grouped) entries could not be read and were left out."
    self.entries = entries.firstTexts { $0 }
  }
}

extension Feed.State {
  /// What a screen reader announces of a list.
  ///
  /// - Parameters:
  ///   - shown: How many of its items are shown; all by default.
  ///   - idle: What it says before anything was asked for.
  ///   - loading: What it says while the beginning loads.
  ///   - empty: What it says of an empty list.
  ///   - failed: What it says when the beginning could not be loaded.
  ///   - older: What its items are of, if that is something else than what is loading.
  ///   - content: Says how many items the whole list has.
  func status(
    showing shown: Int? = nil, idle: String = "", loading: String, empty: String, failed: String,
    older: String? = nil, content: (Int) -> String
  ) -> String {
    let count = shown ?? items.count
    let isOther = !items.isEmpty && (isLoading(.first) || self.status.failedLoad == .first)
    let older = isOther ? " Still showing \(older ?? "the list before")." : ""
    switch status {
    case .idle: return idle
    case .loading(let part) where part != .next: return loading + older
    case .empty: return start == nil ? empty : "The list ends before this page."
    case .failed(_, .next): return "\(count.grouped) are shown; the next could not be loaded."
    case .failed: return failed + older
    case .content, .ended, .loading:
      let total = total.map { $0 - items.count + count } ?? count
      return content(total) + (count < total ? ", \(count.grouped) shown" : "")
    }
  }

  /// The text below the last row of all.
  fileprivate func end(showing count: Int) -> String {
    guard start == nil, skippedEntries.isEmpty, total.map({ $0 <= items.count }) ?? true else {
      return "This is the end of the list."
    }
    return count == 1 ? "This is the only one." : "These are all \(count)."
  }
}
