extension Feed {
  /// What one transfer of a feed brought.
  struct Transfer: Sendable {
    private(set) var pages: [(key: PageKey?, page: Page<Item>)] = []
    /// Why a page after the first of these could not be loaded.
    private(set) var failure: LoadFailure?

    /// How many pages a transfer loads at most while they bring nothing new: enough for a gap in a
    /// list, and too few to use up a rate limit.
    private static var patience: Int { 5 }

    /// Loads the page at a key.
    ///
    /// A page that brings nothing new puts nothing in view that could ask for the next one, so it
    /// is loaded as well.
    init(
      at key: PageKey?, after earlier: State = State(),
      _ load: (PageKey?) async throws -> Page<Item>
    ) async throws {
      var (key, keys) = (key, earlier.keys)
      while pages.count < Self.patience {
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
        // A transfer that was superseded meanwhile starts nothing more.
        guard !isNew, let next = page.next, !keys.contains(next), !Task.isCancelled else { return }
        key = next
      }
    }
  }
}
