import Curlew
public import CurlewScreens

extension Detail {
  /// Creates a detail screen of a store's entries: its content changes whenever the store's does.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - known: A closure that returns what is already known about a value.
  ///   - entry: A closure that makes the entry of an id.
  public init(
    store: Store, known: @escaping @Sendable (ID) -> Known? = { _ in nil },
    entry: @escaping @Sendable (ID) -> StoreEntry<Content>
  ) {
    self.init(known: known, live: store.source(entry))
  }
}

extension Detail where Known: EntityView, Known.ID == ID {
  /// Creates a detail screen of a store's entries, which shows at once what lists have shown of an entity.
  ///
  /// ```swift
  /// let detail = Detail<_, RepositoryRow, _>(store: store) { name in Repository.entry(name) }
  /// ```
  public init(store: Store, entry: @escaping @Sendable (ID) -> StoreEntry<Content>) {
    self.init(
      store: store,
      known: { id in
        store.entity(Known.self, id, account: (try? store.key(of: entry(id)))?.account)
      },
      entry: entry)
  }
}

extension Feed {
  /// Creates a paged list of a store's entries: its items change whenever the store's do.
  ///
  /// Change its items by edits of the store (``Store/perform(_:queue:edit:)``). The first page is loaded again when the
  /// network comes back and after an invalidation, the later ones by a refresh.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - prefetchDistance: The number of items before the end at which the next page is loaded.
  ///   - page: A closure that makes the entry of a page; its argument is `nil` for the first page.
  public init(
    store: Store, prefetchDistance: Int = 5,
    page: @escaping @Sendable (PageKey?) -> StoreEntry<Page<Item>>
  ) {
    self.init(prefetchDistance: prefetchDistance, live: store.source(page))
  }
}

extension PagedSearch {
  /// Creates a paged search screen of a store's entries: its results change whenever the store's do.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - listsAll: Whether an empty text lists everything.
  ///   - debounce: The debounce interval: how long the text must stay unchanged before the search starts.
  ///   - hint: A closure that returns a hint about what to type for a text that can't be searched, and `nil` for one that
  ///     can.
  ///   - page: A closure that makes the entry of a page of the results for a trimmed text; the key is `nil` for the first
  ///     page.
  public init(
    store: Store, listsAll: Bool = false, debounce: Duration = .milliseconds(500),
    hint: @escaping @Sendable (String) -> String? = { _ in nil },
    page: @escaping @Sendable (String, PageKey?) -> StoreEntry<Page<Item>>
  ) {
    self.init(listsAll: listsAll, debounce: debounce, hint: hint) { text in
      store.source { page(text, $0) }
    }
  }
}

extension Store {
  /// Returns a source of entries for screens.
  func source<Key: Sendable, Value>(
    _ entry: @escaping @Sendable (Key) -> StoreEntry<Value>
  ) -> LiveSource<Key, Value> {
    // Swift 6.3 takes a closure with a capture list for a `@concurrent` one, which these are not.
    LiveSource { key in
      self.value(of: entry(key)) ?? .idle
    } load: { key, each in
      try await self.load(entry(key), each)
    } follow: { keys, isResumed, changed in
      // Many changes lead to one, where the screen's work runs; the looking runs anywhere.
      let (changes, change) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      async let _ = self.look(keys.map(entry), isResumed: isResumed) {
        change.yield()
      } ended: {
        change.finish()
      }
      for await _ in changes { guard changed() else { break } }
    }
  }

  /// Looks at entries until the task is cancelled; loads the first of them if it is not fresh when a screen is resumed,
  /// and the others if nothing is known of them.
  @concurrent
  private func look<Value>(
    _ entries: [StoreEntry<Value>], isResumed: Bool, changed: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) async {
    await withTaskGroup { group in
      for (index, entry) in entries.enumerated() {
        let isFirst = index == 0
        let values = StoreValues(
          store: self, entry: entry, isActive: isFirst,
          reason: isFirst && isResumed ? .look : .missing)
        group.addTask {
          for await _ in values { changed() }
          if isFirst { ended() }
        }
      }
    }
  }

  /// Loads an entry that a user wants to see, from the server after a refresh; passes on what is known meanwhile.
  private func load<Value>(
    _ entry: StoreEntry<Value>, _ each: (Dated<Value>) -> Bool
  ) async throws -> Dated<Value>? {
    let reason: LoadReason = Reload.isRequested ? .reload : .retry
    var values = StoreValues(store: self, entry: entry, reason: reason).makeAsyncIterator()
    var last: Value?
    while let shown = await values.next(isolation: #isolation) {
      switch shown.phase {
      case .loading(let value):
        guard let value, value != last else { continue }
        last = value
        guard each(Dated(value, asOf: shown.asOf)) else { return nil }
      case .content(let value): return Dated(value, asOf: shown.asOf)
      case .empty: return nil
      case .failed(let failure, _): throw failure.error
      // Its account was cleared.
      case .idle: throw CancellationError()
      }
    }
    throw CancellationError()
  }
}
