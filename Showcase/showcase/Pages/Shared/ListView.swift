import CurlewScreens

/// What all lists that come in pages have around their rows.
struct ListView {
  /// The way to the next page.
  struct More {
    let href: String
    let isLoading: Bool
    let isFailed: Bool
    /// The last item; the next page is wanted when it comes near.
    let last: String?
  }

  /// Nothing was asked for.
  let isIdle: Bool
  /// The list itself is loading; what is added to it shows that below its last row.
  let isLoading: Bool
  /// The list's own address, which asks for it again.
  let retry: String
  /// Nothing is there yet, and that takes its time.
  let isSkeleton: Bool
  let isEmpty: Bool
  /// The address of the first page, where the list ends before the one that it was to begin with.
  let pastEnd: String?
  let hasRows: Bool
  /// The rows are those of something else, or not the newest.
  let isOld: Bool
  let isPartial: Bool
  let leftOut: LeftOut?
  /// The page before, where the list begins in the middle.
  let previous: String?
  let more: More?
  /// The text below the last row of all.
  let end: String?
  let age: AgeView?

  /// - Parameters:
  ///   - list: The list.
  ///   - isBusy: Whether it has loaded for long enough to be worth a word.
  ///   - age: How old it is.
  ///   - address: Returns the address at which the list begins with a page, `nil` for the first.
  init<Item>(_ list: Feed<Item>.State, isBusy: Bool, age: AgeView?, address: (Int?) -> String) {
    isIdle = list.status == .idle
    isLoading = list.isLoading && !list.isLoading(.next)
    retry = address(list.start?.number)
    isSkeleton = isBusy && list.isLoading && list.items.isEmpty
    isEmpty = list.status == .empty && list.start == nil
    pastEnd = list.status == .empty && list.start != nil ? address(nil) : nil
    hasRows = !list.items.isEmpty
    self.age = hasRows ? age : nil
    let isReplaced = list.isLoading(.first) || list.status.failedLoad == .first
    isOld = hasRows && (isReplaced || list.isLoading(.refresh))
    isPartial = list.isPartial && !isReplaced
    leftOut = LeftOut(list.omissions)
    previous = list.start?.number.map { address($0 > 2 ? $0 - 1 : nil) }
    let next = isReplaced || !hasRows ? nil : list.next?.number
    more = next.map { number in
      More(
        href: address(number), isLoading: isBusy && list.isLoading(.next),
        isFailed: list.status.failedLoad == .next,
        last: list.status == .content || list.isLoading(.next)
          ? list.items.last.map { "\($0.id)" } : nil)
    }
    end = list.status == .ended ? Self.end(of: list) : nil
  }

  private static func end<Item>(of list: Feed<Item>.State) -> String {
    guard list.start == nil, list.omissions.isEmpty,
      list.total.map({ $0 <= list.items.count }) ?? true
    else {
      return "This is the end of the list."
    }
    return list.items.count == 1 ? "This is the only one." : "These are all \(list.items.count)."
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
}
