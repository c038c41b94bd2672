/// The check of a live source's pages: when a page has changed, the displayed pages after it are loaded again.
///
/// A page has changed if its ids, their order or its next key differ. The pages are loaded in order, one at a time: a page
/// that is unchanged ends the chain.
struct FeedChain: Sendable {
  /// The part of a page that determines which items the next page has, as received, without pending edits.
  struct Shape: Equatable, Sendable {
    /// The hash of the ids in order.
    let ids: Int
    let next: PageKey?

    init<Item: Identifiable>(_ page: Page<Item>) {
      var hasher = Hasher()
      for item in page.items { hasher.combine(item.id) }
      (ids, next) = (hasher.finalize(), page.next)
    }
  }

  /// The maximum number of pages that a chain loads, few enough for a rate limit.
  private static var pageLimit: Int { 10 }

  /// The displayed pages.
  private var shapes: [Shape] = []
  /// The indexes of the displayed pages to load again.
  var outdated: Set<Int> = []
  /// The number of pages that the chain has loaded.
  private var count = 0
  /// The first page of which an edit has removed items, after it was received: the source's later items have moved up.
  var hiding: Int?
  /// The load of the chain's current page.
  var ticket: LoadTicket?
  /// The number of changes of the last displayed page, also to another page: a page that was loaded before might not
  /// follow it.
  var changesOfLast = 0

  /// The first page to load again, and its key if it is not the first displayed page.
  var next: (index: Int, key: PageKey?)? {
    outdated.min().map { ($0, $0 == 0 ? nil : shapes[$0 - 1].next) }
  }
  /// Whether the chain has loaded the maximum number of pages.
  var isAtLimit: Bool { count >= Self.pageLimit }

  /// Compares the displayed pages with the former pages; returns whether more pages must be loaded again.
  ///
  /// - Parameter keys: The keys of the displayed pages.
  mutating func compare(_ pages: [Shape], _ keys: [PageKey?]) -> Bool {
    let former = outdated
    for (index, page) in pages.enumerated() {
      let hasChanged = index < shapes.count && shapes[index] != page
      let isLast = index + 1 == pages.count
      if hasChanged, isLast { changesOfLast += 1 }
      if !isLast, hasChanged || page.next != keys[index + 1] { outdated.insert(index + 1) }
    }
    shapes = pages
    outdated = outdated.filter { $0 < pages.count }
    if outdated.isEmpty { count = 0 }
    return !outdated.isSubset(of: former)
  }

  /// Records that a page was loaded again.
  mutating func hasLoaded(_ index: Int) {
    outdated.remove(index)
    count += 1
  }
}
