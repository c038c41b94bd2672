package import Domain
package import Foundation

/// The selected pages of a list.
package enum PageChoice: Equatable, Sendable {
  case one(Int)
  /// All pages, from the first to the last.
  case all
}

/// The combined loaded pages of a list.
package struct Loaded<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let first: Int
  /// The number of loaded pages.
  package private(set) var pages = 0
  package private(set) var items: [Item] = []
  /// The undecodable entries.
  package private(set) var damaged: [DamagedEntry] = []
  package private(set) var total: Int?
  private(set) var isIncomplete = false
  /// The time as of which all pages are current: the time of the oldest page.
  package private(set) var asOf: Date?
  /// The page after the last loaded page.
  package private(set) var nextPage: Int?
  /// The page that only repeated earlier entries, so that loading ended.
  package private(set) var repeatedPage: Int?
  /// The error that occurred while loading the next page.
  package private(set) var failure: (any Error)?
  private var seen: Set<Item.ID> = []
  private var pageSize = 0

  /// Loads pages; an error after the first page keeps the loaded pages.
  package init(
    _ choice: PageChoice, of load: (Int) async throws -> Listing<Item>,
    onPage: (Self) -> Void = { _ in }
  ) async throws {
    if case .one(let page) = choice { first = page } else { first = 1 }
    nextPage = first
    while let page = nextPage {
      do {
        let listing = try await load(page)
        nextPage = add(listing, as: page)
      } catch {
        guard pages > 0 else { throw error }
        failure = error
        return
      }
      onPage(self)
      guard choice == .all else { return }
    }
  }

  /// Returns the expected number of pages from the list's total; `most` is the server's limit of
  /// items.
  package func expectedPages(atMost most: Int?) -> Int? {
    guard let total, pageSize > 0 else { return nil }
    return max(pages, (min(total, most ?? total) + pageSize - 1) / pageSize)
  }

  /// Adds a page, and returns the number of the next page.
  private mutating func add(_ listing: Listing<Item>, as page: Int) -> Int? {
    let count = items.count
    // If the list grows during loading, entries move to the next page and appear again.
    for item in listing.items where seen.insert(item.id).inserted { items.append(item) }
    damaged += listing.damaged
    total = listing.total ?? total
    isIncomplete = isIncomplete || listing.isIncomplete
    asOf = [asOf, listing.asOf].compactMap(\.self).min()
    if pages == 0 { pageSize = listing.items.count + listing.damaged.count }
    pages += 1
    // A server that returns the same page for every number would cause an endless loop.
    let isRepeated = pages > 1 && items.count == count && !listing.items.isEmpty
    if isRepeated, listing.nextPage != nil { repeatedPage = page }
    return isRepeated ? nil : listing.nextPage.flatMap { $0 > page ? $0 : nil }
  }
}
