package import Domain
package import Foundation

/// Which pages of a list are asked for.
package enum PageChoice: Equatable, Sendable {
  case one(Int)
  /// From the first to the last.
  case all
}

/// The pages of a list that came, put together.
package struct Loaded<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let first: Int
  /// How many pages came.
  package private(set) var pages = 0
  package private(set) var items: [Item] = []
  /// The entries that could not be read.
  package private(set) var damaged: [DamagedEntry] = []
  package private(set) var total: Int?
  private(set) var isIncomplete = false
  /// When all of the pages were what the server says: the time of the oldest one.
  package private(set) var asOf: Date?
  /// The page after the last one that came.
  package private(set) var nextPage: Int?
  /// The page that had nothing but entries of earlier pages, where the list was left for it.
  package private(set) var repeatedPage: Int?
  /// What kept the page after the last one that came from coming.
  package private(set) var failure: (any Error)?
  private var seen: Set<Item.ID> = []
  private var pageSize = 0

  /// Loads pages; an error after the first one keeps what came before it.
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

  /// How many pages there are, as far as the list tells, when nothing after so many items can be had.
  package func expectedPages(atMost most: Int?) -> Int? {
    guard let total, pageSize > 0 else { return nil }
    return max(pages, (min(total, most ?? total) + pageSize - 1) / pageSize)
  }

  /// Takes a page and returns the number of the next one.
  private mutating func add(_ listing: Listing<Item>, as page: Int) -> Int? {
    let count = items.count
    // Where a list grows while it is read, entries move on to the next page.
    for item in listing.items where seen.insert(item.id).inserted { items.append(item) }
    damaged += listing.damaged
    total = listing.total ?? total
    isIncomplete = isIncomplete || listing.isIncomplete
    asOf = [asOf, listing.asOf].compactMap(\.self).min()
    if pages == 0 { pageSize = listing.items.count + listing.damaged.count }
    pages += 1
    // A server that gives the same page for every number would never end.
    let isRepeated = pages > 1 && items.count == count && !listing.items.isEmpty
    if isRepeated, listing.nextPage != nil { repeatedPage = page }
    return isRepeated ? nil : listing.nextPage.flatMap { $0 > page ? $0 : nil }
  }
}
