extension Feed {
  /// The pages that one transfer of a feed loaded.
  struct Transfer: Sendable {
    var pages: [(key: PageKey?, page: Page<Item>)] = []
    /// The reason why a page after the first loaded page could not be loaded.
    var failure: LoadFailure?

    /// Whether the source reported the number of items in the whole list.
    var announcesTotal: Bool { pages.contains { $0.page.total != nil } }

    /// The maximum number of pages without new items: enough to skip a gap, and too few to exhaust a rate limit.
    private static var pageLimit: Int { 5 }
    /// The maximum number of requested pages that a transfer loads.
    private static var maximumPages: Int { 10 }

    /// Loads the page with a key, and the pages after it, until the requested number of pages is loaded and a page
    /// contains a new item, because without a new item, no row would appear that could request the next page.
    ///
    /// - Parameter show: A closure that shows an early value of the first page; returns false when no more values are
    ///   needed.
    static func load(
      at key: PageKey?, pages wanted: Int, after earlier: State = State(),
      of kind: LoadKind = .first,
      _ source: Source<PageKey?, Page<Item>>, showing show: (Page<Item>) -> Bool
    ) async throws -> Self {
      var (transfer, key, keys) = (Self(), key, Set(earlier.pageKeys))
      let ids = earlier.knownIDs
      let wanted = min(wanted, Self.maximumPages)
      while transfer.pages.count < max(wanted, Self.pageLimit) {
        let isLater = kind == .next || !transfer.pages.isEmpty
        var stored: Page<Item>?
        do {
          let page = try await source.load(key) { dated in
            let page = Page(dated)
            stored = page
            return kind == .first && !isLater ? show(page) : !Task.isCancelled
          }
          transfer.pages.append((key, page.map { Page($0) } ?? Page([])))
        } catch {
          // The stored value of a later page is better than no page.
          if isLater, let stored { transfer.pages.append((key, stored)) }
          // A refresh that fails keeps all displayed pages.
          guard !transfer.pages.isEmpty, kind != .refresh else { throw error }
          transfer.failure = LoadFailure(error)
          break
        }
        keys.insert(key)
        let page = transfer.pages[transfer.pages.count - 1].page
        let isNew = page.items.contains { !ids.contains($0.id) }
        let isEnough = isNew && transfer.pages.count >= wanted
        // A cancelled transfer requests no more pages.
        guard !isEnough, let next = page.next, !keys.contains(next), !Task.isCancelled else {
          break
        }
        key = next
      }
      return transfer
    }
  }
}
