import Curlew
import CurlewScreens
import Foundation

/// An entry of a store, whatever its value.
///
/// It is used under the store's lock.
class StoredEntry {
  /// What an entry is found by.
  struct Key: Hashable {
    let request: RequestKey
    let value: ObjectIdentifier
  }

  /// A transfer of the entry's value.
  struct Transfer {
    let id: Int
    /// The number of its request.
    let number: UInt64
    /// When it began, by the calendar.
    let date: Date
    let isReload: Bool
    /// Whether nobody looked when it began.
    let isPrefetch: Bool
    /// Whether it shows as loading.
    var isShown: Bool
    let task: Task<Void, Never>
  }

  let id: Int
  let key: Key
  /// The file and line of the transform.
  let location: String
  var tags: Set<String>
  let signal = ChangeSignal()
  /// The number of the value's request.
  var number: UInt64 = 0
  /// The number of the last transfer that has brought something.
  var lastTransfer: UInt64 = 0
  /// The version of what is presented.
  var version: UInt64 = 0
  /// Whether what is presented may be out of date.
  var isDirty = true
  var records: [EntityRecord] = []

  /// The number of consumers, and of those for which it is loaded again.
  var lookers = 0
  var activeLookers = 0
  /// Counts the uses of all entries, so that the one that was not used for the longest time is known.
  var lastUse = 0
  /// The times on the store's clock until which the value is fresh, at which it was last requested, and since which
  /// nobody looks at it.
  var freshUntil = Duration.zero
  var attemptedAt: Duration?
  var unusedSince = Duration.zero
  /// The size of the response's body in bytes.
  var size = 0
  /// The number of the last invalidation.
  var staleSince: UInt64 = 0
  var transfer: Transfer?
  /// Whether another transfer follows, one that asks the server.
  var isReloadWanted = false
  /// Polls while somebody looks.
  var polling: Task<Void, Never>?
  var failure: LoadFailure? { didSet { isDirty = true } }
  /// Whether it has failed because the server is out of reach.
  var isDisconnected = false
  /// Whether what was loaded may have been out of date before it came.
  var isStale: Bool { lastTransfer < staleSince }

  init(_ id: Int, _ key: Key, location: String, tags: Set<String>) {
    (self.id, self.key, self.location, self.tags) = (id, key, location, tags)
  }

  var hasValue: Bool { false }
  /// About the memory that it takes, in bytes.
  var cost: Int { size + 1_024 }

  /// Starts a transfer.
  func load(in store: Store, _ tables: StoreTables, isReload: Bool, isShown: Bool) {}
}

/// A request, and whose it is.
struct RequestKey: Hashable, Sendable {
  let request: String
  let url: String
  let account: String?

  init(_ identity: Client.RequestIdentity, account: String?) {
    precondition(
      identity.isReadOnly,
      "\(identity.request) can't be a store entry: only GET and HEAD requests can.")
    (request, url, self.account) = (identity.request, identity.url, account)
  }
}

/// An entry of a store.
final class StoredEntryOf<Value: Equatable & Sendable>: StoredEntry {
  let entry: StoreEntry<Value>
  private(set) var value: Value?
  private var asOf: Date?
  private(set) var bodyID: UUID?
  private var presented = Loadable<Value>.idle

  init(_ id: Int, _ key: Key, _ entry: StoreEntry<Value>) {
    self.entry = entry
    super.init(id, key, location: entry.location, tags: entry.tags)
  }

  override var hasValue: Bool { value != nil }

  /// Returns what is shown now: the newest value with the edits that are pending.
  func present(_ tables: StoreTables) -> Loadable<Value> {
    if isDirty {
      isDirty = false
      let newest = newest(tables)
      if newest != presented {
        presented = newest
        version += 1
      }
    }
    return presented
  }

  private func newest(_ tables: StoreTables) -> Loadable<Value> {
    var (shown, isRemoved) = (value, false)
    if value != nil, !entry.entities.isEmpty {
      let edits = tables.listEdits(of: key.request, since: number)
      var records = records[...]
      for path in entry.entities where !path.show(&shown!, &records, edits) {
        (shown, isRemoved) = (nil, true)
        break
      }
    }
    if transfer?.isShown ?? false { return .loading(last: shown, asOf: asOf) }
    if let failure { return .failed(failure, last: shown, asOf: asOf) }
    if let shown { return .content(shown, asOf: asOf) }
    return isRemoved ? .empty : .idle
  }

  /// Takes a response, unless what is known is newer.
  ///
  /// - Parameter new: The value; `nil` for the one that is known, which the server has confirmed.
  func receive(
    _ new: Value?, _ response: StoreResponse, number: UInt64, now: Duration, _ tables: StoreTables
  ) {
    guard let new = new ?? value, value == nil || number >= self.number else { return }
    freshUntil = response.timeToLive.map { now + .seconds($0) } ?? now
    (value, asOf, bodyID, self.number) = (new, response.asOf, response.id, number)
    if response.size > 0 { size = response.size }
    let arrival = EntityPath<Value>.Arrival(
      tables: tables, account: key.request.account, number: number)
    let former = records
    records = entry.entities.flatMap { $0.receive(new, arrival) }
    for record in former { record.entries.remove(id) }
    for record in records { record.entries.insert(id) }
    for record in former { tables.forgetIfUnused(record) }
    tables.touch(self)
  }

  override func load(in store: Store, _ tables: StoreTables, isReload: Bool, isShown: Bool) {
    store.startTransfer(of: self, tables, isReload: isReload, isShown: isShown)
  }
}

/// What a store needs of a response besides its value.
struct StoreResponse: Sendable {
  let id: UUID?
  let requestTime: Date?
  let asOf: Date?
  let timeToLive: Int?
  let size: Int
}
