import SwiftUI

// MARK: Network

struct Page<Item: Sendable>: Sendable {
  let items: [Item]
  let hasMore: Bool
}

// MARK: Views

struct Pages<Item: Identifiable & Sendable>: Sendable {
  private(set) var items: [Item] = []
  private(set) var count = 0
  private(set) var hasMore = true

  func appending(_ page: Page<Item>) -> Pages {
    var known = Set(items.map(\.id))
    var pages = self
    pages.items += page.items.filter { known.insert($0.id).inserted }
    pages.count += 1
    pages.hasMore = page.hasMore && !page.items.isEmpty
    return pages
  }
}

extension Loader {
  convenience init<Item: Identifiable & Sendable>(
    initially input: Input? = nil, page: @escaping @Sendable (Input, Int) async throws -> Page<Item>
  ) where Value == Pages<Item> {
    self.init(
      initially: input,
      step: { input, previous in
        let pages = previous ?? Pages()
        return pages.appending(try await page(input, pages.count + 1))
      })
  }

  /// Call this whenever a row appears, and when loading ends while it is visible.
  func loadNext<Item: Identifiable & Sendable>(ifNear item: Item) where Value == Pages<Item> {
    guard status != .loading, status != .waiting, !showsAlert, let loadedInput, let value,
      value.hasMore, value.items.suffix(3).contains(where: { $0.id == item.id })
    else { return }
    load(loadedInput, continuing: value)
  }
}

extension View {
  /// Loads the next page when the row is near the end of the list.
  func loadsNext<Input, Item>(with loader: Loader<Input, Pages<Item>>, after item: Item)
    -> some View
  { task(id: loader.isLoading) { loader.loadNext(ifNear: item) } }
}

extension Pages: SearchResult { var isEmpty: Bool { items.isEmpty } }
