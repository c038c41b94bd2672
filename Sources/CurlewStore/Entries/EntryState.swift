import Curlew
import CurlewScreens
import CurlewSupport
import Foundation

/// An entry of a store, independent of its value's type.
///
/// It is used under the store's lock.
class EntryState {
  struct Transfer {
    let number: UInt64
    let isReload: Bool
    /// Whether the entry had no consumers when the transfer began.
    let isPrefetch: Bool
    /// Whether the entry is shown as loading.
    var isShown: Bool
    /// Whether a reload from the server follows the transfer.
    var isReloadWanted = false
    let task: Task<Void, Never>
  }

  let id: Int
  let request: RequestKey
  var tags: Set<String>
  /// The numbers of the value's request, of the last transfer that has ended, and of the last invalidation.
  var number: UInt64 = 0
  var lastTransfer: UInt64 = 0
  var staleSince: UInt64 = 0
  var version: UInt64 = 0
  /// Whether the presented value may be outdated.
  var isDirty = true
  /// The entities that have changed since the value was presented; `nil` if all must be shown again.
  var changed: [EntityRecord]?
  /// The entities of the value, by their locations.
  var records: [[EntityRecord]] = []

  /// The signals of the consumers, and whether the entry is loaded again for them.
  var consumers: [Int: (signal: ChangeSignal, isActive: Bool)] = [:]
  /// The times on the store's clock until which the value is fresh, at which the last transfer ended, and since which
  /// the entry is unused.
  var freshUntil = Duration.zero
  var attemptedAt: Duration?
  var unusedSince = Duration.zero
  var size = 0
  var transfer: Transfer?
  var polling: Task<Void, Never>?
  var failure: LoadFailure?

  init(_ id: Int, _ request: RequestKey, tags: Set<String>) {
    (self.id, self.request, self.tags) = (id, request, tags)
  }

  var hasValue: Bool { false }
  var isActive: Bool { consumers.values.contains(where: \.isActive) }
  /// Whether the entry was invalidated after the last transfer began.
  var isStale: Bool { lastTransfer < staleSince }
  /// Whether the entry is loaded again because the server was unreachable.
  var isRetried: Bool {
    isActive && (failure?.error as? Client.Error)?.isDisconnection == true
  }
  /// The approximate memory that the entry uses, in bytes.
  var cost: Int { size + 1_024 }

  func load(in store: Store, _ tables: StoreTables, isReload: Bool, isShown: Bool) {}
}

/// A request and its account, compared by their bytes.
struct RequestKey: Hashable, Sendable {
  let request: Bytewise
  let url: Bytewise
  let account: Bytewise?

  init(_ identity: Client.RequestIdentity, account: String?) {
    precondition(
      identity.isReadOnly,
      "\(identity.request) can't be a store entry: only GET and HEAD requests can.")
    (request, url) = (Bytewise(identity.request), Bytewise(identity.url))
    self.account = account.map(Bytewise.init)
  }

  /// Returns whether the URL equals another URL, or is below it.
  func isAtOrBelow(_ url: String) -> Bool {
    CacheKey(account: nil, url: self.url.text).isAt(url, andBelow: true)
  }
}

/// An entry of a store, with its value.
final class EntryStateOf<Value: Equatable & Sendable>: EntryState {
  let entry: StoreEntry<Value>
  private(set) var value: Value?
  /// The value with the pending edits; `nil` if the value is a removed entity.
  private var shown: Value?
  private var asOf: Date?
  private var bodyID: UUID?
  private var presented = Loadable<Value>.idle

  init(_ id: Int, _ request: RequestKey, _ entry: StoreEntry<Value>) {
    self.entry = entry
    super.init(id, request, tags: entry.tags)
  }

  override var hasValue: Bool { value != nil }

  /// Returns the shown value: the newest value with the pending edits.
  func present(_ tables: StoreTables) -> Loadable<Value> {
    guard isDirty else { return presented }
    isDirty = false
    let isDifferent = updateShown(tables)
    let newest = newest
    if isDifferent || newest != presented {
      presented = newest
      version += 1
    }
    return presented
  }

  private var newest: Loadable<Value> {
    if transfer?.isShown ?? false { return .loading(last: shown, asOf: asOf) }
    if let failure { return .failed(failure, last: shown, asOf: asOf) }
    if let shown { return .content(shown, asOf: asOf) }
    return value == nil ? .idle : .empty
  }

  /// Updates the shown value; returns whether it is known to differ from the presented value.
  private func updateShown(_ tables: StoreTables) -> Bool {
    defer { changed = [] }
    guard value != nil else { return false }
    let edits = tables.listEdits(of: request, since: number)
    // A row is found fast, but not as fast as all rows are shown if most of them have changed.
    if let changed, shown != nil, changed.count <= 16, let isChanged = update(changed, edits) {
      return isChanged
    }
    shown = value
    for (path, records) in zip(entry.entities, records)
    where !path.show(&shown!, records, edits) {
      shown = nil
      break
    }
    return false
  }

  /// Updates the changed entities in the shown value; returns `nil` if all entities must be shown again.
  private func update(_ changed: [EntityRecord], _ edits: [ListEdit]) -> Bool? {
    var isChanged = false
    for record in changed {
      guard !edits.contains(where: { $0.record === record }) else { return nil }
      guard let index = record.entries[id] else { continue }
      guard var index else { return nil }
      for (path, records) in zip(entry.entities, records) {
        guard index >= records.count else {
          let member = EntityPath<Value>.Member(
            record: record, index: index, count: records.count, edits: edits.count)
          guard let isNew = path.update(&shown!, member) else { return nil }
          isChanged = isChanged || isNew
          break
        }
        index -= records.count
      }
    }
    return isChanged
  }

  /// Applies a response, unless a newer value is known.
  ///
  /// - Parameter new: The value; `nil` for the known value, which the server has confirmed.
  func receive(
    _ new: Value?, _ response: Client.Reading, number: UInt64, now: Duration, _ tables: StoreTables
  ) {
    guard let new = new ?? value, value == nil || number >= self.number else { return }
    freshUntil = response.timeToLive.map { now + .seconds($0) } ?? now
    (value, asOf, bodyID, self.number) = (new, response.asOf, response.id, number)
    if response.size > 0 { size = response.size }
    let (former, account) = (records, request.account?.text)
    records = entry.entities.map { $0.receive(new, tables, account, number) }
    for record in former.joined() { record.entries[id] = nil }
    for (index, record) in records.joined().enumerated() {
      record.entries.updateValue(record.entries[id] == nil ? index : nil, forKey: id)
    }
    for record in former.joined() { tables.forgetIfUnused(record) }
    changed = nil
    tables.touch(self)
  }

  override func load(in store: Store, _ tables: StoreTables, isReload: Bool, isShown: Bool) {
    let (id, entry, hasValue) = (id, entry, hasValue)
    let number = tables.nextNumber(store.now())
    let task = WorkExecutor.task {
      await Reload.$isRequested.withValue(isReload) {
        if !hasValue, !isReload,
          let stored = try? await entry.load(store.client, true, nil), stored.value != nil,
          store.finish(id, number, .success(stored), isStored: true)
        {
          return
        }
        do {
          let known = store.change { ($0.entries[id] as? Self)?.bodyID }
          let loaded = try await entry.load(store.client, false, known)
          store.finish(id, number, loaded.map { .success($0) } ?? .failure(CancellationError()))
        } catch {
          store.finish(id, number, Result<StoreEntry<Value>.Load, any Error>.failure(error))
        }
      }
    }
    transfer = Transfer(
      number: number, isReload: isReload, isPrefetch: consumers.isEmpty, isShown: isShown,
      task: task)
    tables.recordTags(self)
    tables.touch(self)
  }
}
