import CurlewScreens
import Foundation

extension ShowcasePage {
  /// Describes a page around a list that comes in pages.
  ///
  /// - Parameters:
  ///   - tracked: The state of the page.
  ///   - template: The template.
  ///   - list: The list.
  ///   - values: What else the template shows.
  ///   - address: Returns the address at which the list begins with a page, `nil` for the first.
  func view<Item>(
    of tracked: Tracked<Inner>.State, _ template: Template, status: String, list: Feed<Item>.State,
    now: Date, _ values: Values, address: (Int?) -> String
  ) -> PageView {
    let isBusy = tracked.activity.isVisible
    let hasRows = !list.items.isEmpty
    let age =
      hasRows ? AgeView(asOf: list.asOf, isOffline: tracked.content.isOffline, now: now) : nil
    let leftOut = LeftOut(list.skippedEntries)
    let isReplaced = list.isLoading(.first) || list.status.failedLoad == .first
    // The list's own address, which asks for it again.
    let retry = address(list.start?.number)
    let next = isReplaced || !hasRows ? nil : list.next?.number
    let more: Values? = next.map { number in
      [
        "href": address(number), "isLoading": isBusy && list.isLoading(.next),
        "isFailed": list.status.failedLoad == .next,
        // The last item; the next page is wanted when it comes near.
        "last": list.status == .content || list.isLoading(.next)
          ? list.items.last.map { "\($0.id)" } : nil,
      ]
    }
    let around: Values = [
      // Nothing was asked for.
      "isIdle": list.status == .idle,
      // The list itself is loading; what is added to it shows that below its last row.
      "isLoading": list.isLoading && !list.isLoading(.next), "retry": retry,
      // Nothing is there yet, and that takes its time.
      "isSkeleton": isBusy && list.isLoading && !hasRows,
      "isEmpty": list.status == .empty && list.start == nil,
      // The address of the first page, where the list ends before the one that it was to begin with.
      "pastEnd": list.status == .empty && list.start != nil ? address(nil) : nil,
      "hasRows": hasRows,
      // The rows are those of something else, or not the newest.
      "isOld": hasRows && (isReplaced || list.isLoading(.refresh)),
      "isPartial": list.isPartial && !isReplaced, "leftOut": leftOut,
      // The page before, where the list begins in the middle.
      "previous": list.start?.number.map { address($0 > 2 ? $0 - 1 : nil) }, "more": more,
      "end": list.status == .ended ? list.end : nil, "age": age,
    ]
    let activity = Values.activity(
      tracked.activity, failure: list.failure, isEmpty: !hasRows, retry: retry)
    return PageView(
      template, status: status, leftOut: leftOut, age: age,
      values.merging(["list": around, "activity": activity]))
  }
}

/// The entries that are missing in a list because they could not be read.
struct LeftOut {
  /// Says how many there are.
  let summary: String
  /// The first of them.
  let entries: [String]

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
  ///   - idle: What it says before anything was asked for.
  ///   - loading: What it says while the beginning loads.
  ///   - empty: What it says of an empty list.
  ///   - failed: What it says when the beginning could not be loaded.
  ///   - content: Says how many items the whole list has.
  func status(
    idle: String = "", loading: String, empty: String, failed: String, content: (Int) -> String
  ) -> String {
    let count = items.count
    switch status {
    case .idle: return idle
    case .loading(let part) where part != .next: return loading
    case .empty: return start == nil ? empty : "The list ends before this page."
    case .failed(_, .next): return "\(count.grouped) are shown; the next could not be loaded."
    case .failed: return failed
    case .content, .ended, .loading:
      let total = total ?? count
      return content(total) + (count < total ? ", \(count.grouped) shown" : "")
    }
  }

  /// The text below the last row of all.
  fileprivate var end: String {
    guard start == nil, skippedEntries.isEmpty, total.map({ $0 <= items.count }) ?? true else {
      return "This is the end of the list."
    }
    return items.count == 1 ? "This is the only one." : "These are all \(items.count)."
  }
}
