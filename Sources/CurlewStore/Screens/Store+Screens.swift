import Curlew
public import CurlewScreens
import HTTPTypes

extension Detail {
  /// Creates a detail screen of a store's entries: the content follows the store's changes.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - known: A closure that returns the known part of a value.
  ///   - entry: A closure that makes the entry of an id.
  public init(
    store: Store, known: @escaping @Sendable (ID) -> Known? = { _ in nil },
    entry: @escaping @Sendable (ID) -> StoreEntry<Content>
  ) {
    self.init(known: known, live: store.source(entry, showsMissing: true))
  }
}

extension Detail where Known: EntityView, Known.ID == ID {
  /// Creates a detail screen of a store's entries that immediately shows the entity's fields known from lists.
  ///
  /// ```swift
  /// let detail = Detail<_, RepositoryRow, _>(store: store) { name in Repository.entry(name) }
  /// ```
  public init(store: Store, entry: @escaping @Sendable (ID) -> StoreEntry<Content>) {
    self.init(
      known: { id in
        store.entity(Known.self, id, account: (try? store.key(of: entry(id)))?.account?.text)
      },
      live: store.source(entry, showsMissing: true) { id, entry, tables in
        tables.watch(Known.self, id, by: entry)
      })
  }
}

extension Feed {
  /// Creates a paged list of a store's entries: the items follow the store's changes.
  ///
  /// To change items, edit the store (``Store/perform(_:queue:edit:)``). The first page is loaded again when the
  /// network is back and after an invalidation. When the ids, their order or the next key of a page have changed, the
  /// displayed pages after it are loaded again in order, at most ten, until a page is unchanged.
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
  /// Creates a paged search screen of a store's entries: the results follow the store's changes.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - listsAll: Whether an empty text lists everything.
  ///   - debounce: The debounce interval: how long the text must stay unchanged before the search starts.
  ///   - hint: A closure that returns a hint about what to type for a text that can't be searched, and `nil` for any
  ///     other text.
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
  ///
  /// - Parameters:
  ///   - showsMissing: Whether a 404 or a 410 means that there is no value, instead of a failure beside the last value.
  ///   - watch: A closure that makes an entry observe an entity that its screen shows before the entry has a value.
  func source<Key: Sendable, Value>(
    _ entry: @escaping @Sendable (Key) -> StoreEntry<Value>, showsMissing: Bool = false,
    watch: @escaping @Sendable (Key, EntryState, StoreTables) -> Void = { _, _, _ in }
  ) -> LiveSource<Key, Value> {
    // Swift 6.3 treats a closure with a capture list as `@concurrent`, but these closures are not.
    LiveSource { key in
      let value = self.value(of: entry(key)) ?? .idle
      return showsMissing && value.failure?.error.saysMissing == true ? .empty : value
    } received: { key in
      guard let entryKey = try? self.key(of: entry(key)) else { return nil }
      return self.change { tables in tables.known(entryKey, as: Value.self)?.value }
    } load: { key, each in
      do {
        return try await self.load(entry(key), each)
      } catch {
        guard showsMissing, error.saysMissing else { throw error }
        return nil
      }
    } follow: { keys, isResumed, changed in
      // Coalesces changes: `changed` is called where the screen's work runs, but entries are observed on any thread.
      let (changes, change) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      async let _ = self.observe(keys, entry, watch, isResumed: isResumed) {
        change.yield()
      } ended: {
        change.finish()
      }
      for await _ in changes { guard changed() else { break } }
    }
  }

  /// Observes entries until the task is cancelled; loads the first entry if it is not fresh when a screen is resumed,
  /// and any entry without a value.
  @concurrent
  private func observe<Key: Sendable, Value>(
    _ keys: [Key], _ entry: @Sendable (Key) -> StoreEntry<Value>,
    _ watch: @escaping @Sendable (Key, EntryState, StoreTables) -> Void,
    isResumed: Bool, changed: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void
  ) async {
    await withTaskGroup { group in
      for (index, key) in keys.enumerated() {
        let isFirst = index == 0
        let values = StoreValues(
          store: self, entry: entry(key), isActive: isFirst,
          reason: isFirst && isResumed ? .outdated : .missing)
        group.addTask {
          if let consumer = try? EntryConsumer(values) {
            self.change { tables in tables.entries[consumer.id].map { watch(key, $0, tables) } }
            // Each change, not each different value: the screen may have read a value in between.
            var seen: UInt64
            repeat {
              seen = consumer.signal.version
              changed()
            } while await consumer.signal.arrive(after: seen)
          }
          changed()
          if isFirst { ended() }
        }
      }
    }
  }

  /// Loads an entry for a user, from the server for a refresh; calls `each` with the values shown meanwhile.
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
      // The entry's account was cleared.
      case .idle: throw CancellationError()
      }
    }
    throw CancellationError()
  }
}

extension Error {
  /// Whether the server says that the resource does not exist: 404 or 410 (RFC 9110 section 15.5).
  fileprivate var saysMissing: Bool {
    [.notFound, .gone].contains((self as? Client.Error)?.status)
  }
}
