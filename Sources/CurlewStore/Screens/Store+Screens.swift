import Curlew
public import CurlewScreens
import CurlewSupport
import HTTPTypes

extension Store {
  /// Returns entries as a source for screens, which follow their changes.
  ///
  /// ```swift
  /// let list = Feed(source: store.source { key in Repository.page(key?.number ?? 1) })
  /// let detail = Detail<_, RepositoryRow, _>(source: store.source { name in Repository.entry(name) })
  /// ```
  ///
  /// - A screen's items are loaded again when the network is back and after an invalidation.
  /// - When the ids, their order or the next key of a feed's page have changed, the displayed pages after it are loaded
  ///   again in order, at most ten, until a page is unchanged.
  /// - A detail screen immediately shows the entity's row (an ``EntityView``) known from lists; its value is missing after
  ///   a 404 or 410 response.
  public func source<Key: Sendable, Value>(
    _ entry: @escaping @Sendable (Key) -> StoreEntry<Value>
  ) -> Source<Key, Value> {
    Source(StoreSource(self, entry))
  }

  /// Loads an entry for a user, from the server for a refresh; calls `each` with the values shown meanwhile.
  func load<Value>(
    _ entry: StoreEntry<Value>, as reason: LoadReason? = nil, _ each: (Dated<Value>) -> Bool
  ) async throws -> Dated<Value>? {
    let reason = reason ?? (Reload.isRequested ? .reload : .retry)
    var values = StoreValues(store: self, entry: entry, reason: reason).makeAsyncIterator()
    var last: Value?
    while let shown = await values.next(isolation: #isolation) {
      switch shown {
      case .loading(let value, let asOf):
        guard let value, value != last else { continue }
        last = value
        guard each(Dated(value, asOf: asOf)) else { return nil }
      case .content(let value, let asOf): return Dated(value, asOf: asOf)
      case .empty: return nil
      case .failed(let failure, _, _): throw failure.error
      // The entry's account was cleared.
      case .idle: throw CancellationError()
      }
    }
    throw CancellationError()
  }
}

private final class StoreSource<Key: Sendable, Value: Equatable & Sendable>: LiveSource {
  private let store: Store
  private let entry: @Sendable (Key) -> StoreEntry<Value>

  init(_ store: Store, _ entry: @escaping @Sendable (Key) -> StoreEntry<Value>) {
    (self.store, self.entry) = (store, entry)
  }

  func current(_ key: Key) -> (shown: Loadable<Value>, received: Value?) {
    guard let key = try? store.key(of: entry(key)) else { return (.idle, nil) }
    return store.change { tables in
      let entry = tables.known(key, as: Value.self)
      return (entry?.present(tables) ?? .idle, entry?.value)
    }
  }

  func known<Known>(_ key: Key, as type: Known.Type) -> Known? {
    guard let type = type as? any EntityView.Type else { return nil }
    return view(type, key) as? Known
  }

  /// Returns a view of the entity with an id, which the entry then observes until it has a value.
  private func view<View: EntityView>(_: View.Type, _ key: Key) -> View? {
    guard let id = key as? View.ID, let key = try? store.key(of: entry(key)) else { return nil }
    return store.change { tables in
      if let entry = tables.known(key, as: Value.self) {
        tables.watch(View.self, id, by: entry)
      }
      return tables.known(View.self, id, key.account?.text)
    }
  }

  /// Returns whether the server says that the resource does not exist (RFC 9110 section 15.5).
  func isMissing(_ error: any Error) -> Bool {
    [.notFound, .gone].contains((error as? Client.Error)?.status)
  }

  func follow(_ keys: [Key], isResumed: Bool, _ changed: () -> Bool) async {
    let signal = ChangeSignal()
    let consumers = keys.enumerated().compactMap { index, key in
      let reason = index == 0 && isResumed ? Store.LoadReason.outdated : .missing
      return try? EntryConsumer(
        StoreValues(store: store, entry: entry(key), isActive: index == 0, reason: reason), signal)
    }
    // Each change, not each different value: the screen may have read a value in between.
    var seen: UInt64
    repeat {
      seen = signal.version
      guard changed() else { break }
    } while await signal.arrive(after: seen)
    withExtendedLifetime(consumers) {}
  }

  func load(_ key: Key, _ each: (Dated<Value>) -> Bool) async throws -> Dated<Value>? {
    try await store.load(entry(key), each)
  }
}
