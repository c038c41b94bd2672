extension Feed {
  /// The pages that one transfer of a feed loaded.
  struct Transfer: Sendable {
    private(set) var pages: [(key: PageKey?, page: Page<Item>)] = []
    /// The reason why a page after the first of these could not be loaded.
    private(set) var failure: LoadFailure?

    /// The maximum number of pages that a transfer loads while they contain no new items: enough to
    /// skip a gap in a list, and too few to exhaust a rate limit.
    private static var pageLimit: Int { 5 }

    /// Loads the page with a key, and the next ones until one contains a new item.
    ///
    /// Without a new item, no row would appear that could request the next page.
    init(
      at key: PageKey?, after earlier: State = State(),
      _ load: (PageKey?) async throws -> Page<Item>
    ) async throws {
      var (key, keys) = (key, earlier.keys)
      while pages.count < Self.pageLimit {
        do {
          pages.append((key, try await load(key)))
        } catch {
          guard !pages.isEmpty else { throw error }
          failure = LoadFailure(error)
          return
        }
        if let key { keys.insert(key) }
        let page = pages[pages.count - 1].page
        let isNew = page.items.contains { !earlier.ids.contains($0.id) }
        // A cancelled transfer requests no more pages.
        guard !isNew, let next = page.next, !keys.contains(next), !Task.isCancelled else { return }
        key = next
      }
    }
  }
}
