extension Feed {
  /// The pages that one transfer of a feed loaded.
  struct Transfer: Sendable {
    private(set) var pages: [(key: PageKey?, page: Page<Item>)] = []
    /// The reason why a page after the first loaded page could not be loaded.
    private(set) var failure: LoadFailure?

    /// Whether the source reported the number of items in the whole list.
    var announcesTotal: Bool { pages.contains { $0.page.total != nil } }

    /// The maximum number of pages that a transfer loads while they contain no new items: enough to
    /// skip a gap in a list, and too few to exhaust a rate limit.
    private static var pageLimit: Int { 5 }

    /// The maximum number of requested pages that a transfer loads.
    private static var mostPages: Int { 10 }

    /// Creates a transfer of one page.
    init(_ page: Page<Item>, at key: PageKey?) {
      pages = [(key, page)]
    }

    /// Creates a transfer by loading the page with a key, and the pages after it, until the
    /// requested number of pages is loaded and a page contains a new item.
    ///
    /// Without a new item, no row would appear that could request the next page.
    ///
    /// - Parameters:
    ///   - show: A closure that shows an early value of the first page, before the current value
    ///     has arrived; returns false when no more values are needed.
    init(
      at key: PageKey?, pages wanted: Int = 1, after earlier: State = State(),
      of kind: LoadKind = .first,
      _ source: Source<PageKey?, Page<Item>>, showing show: (Page<Item>) -> Bool
    ) async throws {
      var (key, keys) = (key, earlier.keys)
      let ids = earlier.knownIDs
      let wanted = min(wanted, Self.mostPages)
      while pages.count < max(wanted, Self.pageLimit) {
        let isLater = kind == .next || !pages.isEmpty
        var stored: Page<Item>?
        do {
          let page = try await source.load(key) { dated in
            let page = Page(dated)
            stored = page
            return kind == .first && !isLater ? show(page) : !Task.isCancelled
          }
          pages.append((key, page.map { Page($0) } ?? Page([])))
        } catch {
          // The stored value of a later page is better than no page.
          if isLater, let stored { pages.append((key, stored)) }
          // A refresh that fails keeps all displayed pages.
          guard !pages.isEmpty, kind != .refresh else { throw error }
          failure = LoadFailure(error)
          return
        }
        if let key { keys.insert(key) }
        let page = pages[pages.count - 1].page
        let isNew = page.items.contains { !ids.contains($0.id) }
        // A cancelled transfer requests no more pages.
        let isEnough = isNew && pages.count >= wanted
        guard !isEnough, let next = page.next, !keys.contains(next), !Task.isCancelled else {
          return
        }
        key = next
      }
    }
  }
}
