import Curlew
import CurlewScreens
import Foundation

/// The data of a store: its entries, its entities, and the edits of running writes.
///
/// It is used under the store's lock, and neither starts tasks nor reads clocks.
final class StoreTables {
  private(set) var lastNumber: UInt64 = 0
  private(set) var lastID = 0
  private(set) var entries: [Int: EntryState] = [:]
  /// The ids of the entries of a request, by the type of their values.
  private var ids: [RequestKey: [ObjectIdentifier: Int]] = [:]
  /// The entries without consumers.
  var unused: Set<Int> = []
  /// An upper bound for the size of the unused entries, and the earliest time at which an unused entry expires.
  var unusedSize = 0
  var sweepDue = Duration.zero
  private var records: [EntityRecord.Key: EntityRecord] = [:]
  /// The edits of the lists in a request's value, by the ids of their writes.
  private var listEdits: [RequestKey: Edits<Int, ListEdit>] = [:]
  private var writes: [Int: Write] = [:]
  /// The task that retries failed loads while the server is unreachable.
  var retries: Task<Void, Never>?
  var queues: [String: [Waiter<Void>]] = [:]
  /// The entities and the lists with settled edits, kept because the HTTP cache may contain responses from before the
  /// edits.
  private var settled = RecentKeys<SettledEdit>()
  /// The tagged requests, kept after their entries have been removed.
  private var tagged = RecentKeys<TaggedRequest>()
  /// The numbers of the responses whose bodies are in the client's cache.
  private var bodies = RecentKeys<UUID>()
  private var ended = Ended()

  /// The consumers, writes and tasks to resume or cancel after the lock has been released.
  struct Ended: Sendable {
    var consumers: ChangeSignal.Consumers = []
    var writes: [Waiter<Void>.Ended] = []
    var tasks: [Task<Void, Never>] = []
  }

  /// A write that has not finished.
  struct Write {
    let id: Int
    let account: String?
    /// The number of the write's request; `nil` until it is sent.
    var sentAt: UInt64?
    var records: [EntityRecord] = []
    var requests: Set<RequestKey> = []
  }

  private enum SettledEdit: Hashable {
    case entity(EntityRecord.Key)
    case list(RequestKey, write: Int)

    var account: Bytewise? {
      switch self {
      case .entity(let key): key.account
      case .list(let request, _): request.account
      }
    }
  }

  private struct TaggedRequest: Hashable {
    let tag: String
    let request: RequestKey
  }

  // MARK: Numbers

  /// Returns a new id for an entry, a transfer, a consumer or a write.
  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Returns the number of a request sent now, or of a write settled now: greater than all earlier numbers, and than
  /// the numbers of responses that were stored before.
  func nextNumber(_ date: Date) -> UInt64 {
    lastNumber = max(lastNumber + 1, Self.number(at: date))
    return lastNumber
  }

  /// Returns the number of a request sent at a date: microseconds since 1970.
  private static func number(at date: Date) -> UInt64 {
    UInt64(min(max(1, date.timeIntervalSince1970 * 1_000_000), 4e18))
  }

  /// Returns the number of a response's request.
  ///
  /// Dates are no order, because a user may set the clock back. The date counts only if the response comes from the
  /// cache, and this store has not loaded it. If it is in the future, the response is older than all that is known.
  ///
  /// - Parameters:
  ///   - number: The number of the transfer that ends with the response.
  ///   - now: The current date.
  func number(of response: ResponseMetadata, in number: UInt64, now: Date) -> UInt64 {
    guard response.isFromCache else {
      if let id = response.id { bodies.use(id, at: number) }
      return number
    }
    if let known = response.id.flatMap({ bodies.numbers[$0] }) { return known }
    guard let time = response.requestTime, time <= now else { return 1 }
    return min(Self.number(at: time), number)
  }

  // MARK: Entries

  func entry<Value>(_ key: RequestKey, _ make: StoreEntry<Value>) -> EntryStateOf<Value> {
    if let known = known(key, as: Value.self) {
      assert(
        known.location == make.location,
        "Two different transforms of “\(key.request.text)” produce \(Value.self), at \(known.location) and \(make.location). Create the entry in one function."
      )
      known.tags.formUnion(make.tags)
      return known
    }
    let value = ObjectIdentifier(Value.self)
    let entry = EntryStateOf(nextID(), EntryState.Key(request: key, value: value), make)
    ids[key, default: [:]][value] = entry.id
    entries[entry.id] = entry
    return entry
  }

  /// Returns an existing entry; `nil` if there is none.
  func known<Value>(_ key: RequestKey, as: Value.Type) -> EntryStateOf<Value>? {
    ids[key]?[ObjectIdentifier(Value.self)].flatMap { entries[$0] } as? EntryStateOf<Value>
  }

  /// Records that an entry has no consumers any more.
  func addUnused(_ entry: EntryState, _ limits: Store.Limits) {
    if unused.isEmpty { (unusedSize, sweepDue) = (0, entry.unusedSince + limits.unusedTime) }
    unused.insert(entry.id)
    unusedSize += entry.cost
  }

  /// Returns whether entries without consumers may have to be removed.
  func isSweepDue(at now: Duration, _ limits: Store.Limits) -> Bool {
    !unused.isEmpty && (now >= sweepDue || unusedSize > limits.unusedSize)
  }

  /// Removes an entry; its consumers receive no more values.
  func remove(_ entry: EntryState) {
    entries[entry.id] = nil
    unused.remove(entry.id)
    ids[entry.key.request]?[entry.key.value] = nil
    if ids[entry.key.request]?.isEmpty ?? false { ids[entry.key.request] = nil }
    cancel(entry.transfer?.task)
    cancel(entry.polling)
    ended.consumers += entry.signal.end()
    for record in entry.records.joined() {
      record.entries[entry.id] = nil
      forgetIfUnused(record)
    }
  }

  /// Notifies the consumers of an entry that it may have changed.
  func touch(_ entry: EntryState) {
    entry.isDirty = true
    ended.consumers += entry.signal.publish()
  }

  /// Notifies the consumers of all entries that show an entity.
  func touch(_ record: EntityRecord) {
    for entry in record.entries.keys.compactMap({ entries[$0] }) {
      entry.changed.append(record)
      touch(entry)
    }
    for request in record.lists { touch(request, changed: record) }
  }

  /// Notifies the consumers of a request's entries that the entries may have changed.
  ///
  /// - Parameter record: The changed entity of the list's edits; `nil` if the edits have changed.
  private func touch(_ request: RequestKey, changed record: EntityRecord? = nil) {
    for entry in (ids[request] ?? [:]).values.compactMap({ entries[$0] }) {
      if let record { entry.changed.append(record) } else { entry.isOutdated = true }
      touch(entry)
    }
  }

  /// Cancels a task after the lock has been released.
  func cancel(_ task: Task<Void, Never>?) {
    if let task { ended.tasks.append(task) }
  }

  /// Resumes the next write in a queue after the lock has been released.
  func start(_ permit: Waiter<Void>) {
    if let write = permit.end() { ended.writes.append(write) }
  }

  /// Returns the consumers, writes and tasks to resume or cancel after the lock has been released.
  func takeEnded() -> Ended {
    defer { ended = Ended() }
    return ended
  }

  // MARK: Entities

  func record<View: EntityView>(of: View.Type, _ id: View.ID, _ account: String?)
    -> EntityRecordOf<View.Whole>
  {
    let key = EntityRecord.Key(View.self, id, account)
    if let known = records[key] as? EntityRecordOf<View.Whole> { return known }
    let record = EntityRecordOf<View.Whole>(key, in: self)
    records[key] = record
    return record
  }

  func known<View: EntityView>(_: View.Type, _ id: View.ID, _ account: String?) -> View? {
    let key = EntityRecord.Key(View.self, id, account)
    return (records[key] as? EntityRecordOf<View.Whole>)?.shown.view(View.self)
  }

  /// Makes an entry without a value observe an entity, as if its value contained the entity.
  func watch<View: EntityView>(_: View.Type, _ id: View.ID, by entry: EntryState) {
    guard !entry.hasValue, entry.records.isEmpty else { return }
    let record = record(of: View.self, id, entry.key.request.account?.text)
    entry.records = [[record]]
    record.entries[entry.id] = 0
  }

  func forgetIfUnused(_ record: EntityRecord) {
    if record.entries.isEmpty, record.lists.isEmpty, record.isForgettable {
      records[record.key] = nil
    }
  }

  // MARK: Writes

  /// Begins a write with an id.
  func beginWrite(_ id: Int, account: String?) {
    writes[id] = Write(id: id, account: account)
  }

  /// Records that a write's request is sent now; returns false if the write's account was cleared.
  func sendWrite(_ id: Int, at date: Date) -> Bool {
    writes[id]?.sentAt = nextNumber(date)
    return isWriting(id)
  }

  func isWriting(_ id: Int) -> Bool { writes[id] != nil }

  /// The number of the first running write's request.
  var firstSent: UInt64 { writes.values.compactMap(\.sentAt).min() ?? .max }

  func edit<View: EntityView>(
    _ write: Int, _: View.Type, _ id: View.ID,
    _ change: @escaping (inout EntityRecordOf<View.Whole>.Shape) -> Bool
  ) {
    guard let account = writes[write].map(\.account) else { return }
    let record = record(of: View.self, id, account)
    record.add(write, change)
    writes[write]?.records.append(record)
    touch(record)
  }

  /// Adds an edit of a request's list; an unknown entity that it inserts becomes known.
  ///
  /// - Parameter index: The index of the insertion; `nil` for a removal.
  func editList<View: EntityView>(
    _ write: Int, of request: RequestKey, _: View.Type, _ id: View.ID, inserting view: View? = nil,
    at index: Int?
  ) {
    guard let account = writes[write].map(\.account) else { return }
    let record = record(of: View.self, id, account)
    record.lists.insert(request)
    listEdits[request, default: Edits()].add(ListEdit(record: record, index: index), by: write)
    writes[write]?.requests.insert(request)
    if let view, record.shown.view(View.self) == nil {
      edit(write, View.self, id) { shape in
        if shape.view(View.self) == nil { shape.set(view) }
        return true
      }
    }
    touch(request)
  }

  /// Returns a list's edits that are pending, or were settled after the request with a number.
  func listEdits(of request: RequestKey, since number: UInt64) -> [ListEdit] {
    listEdits[request]?.layers.filter { !$0.isSettled(before: number + 1) }.map(\.edit) ?? []
  }

  /// Settles the edits of a write, with the entities in its response.
  ///
  /// - Returns: The URLs of the edited entries.
  func settle(
    _ write: Int, at number: UInt64, storing arrivals: [ResponseEntity]
  ) -> Set<Bytewise> {
    guard let edits = writes.removeValue(forKey: write) else { return [] }
    for arrival in arrivals {
      let record = arrival.settle(self, edits, number)
      keep(.entity(record.key), at: number)
    }
    for record in edits.records { record.settle(write, at: number) }
    for request in edits.requests {
      listEdits[request]?.update(write) { $0.settledAt = number }
      keep(.list(request, write: write), at: number)
      touch(request)
    }
    for record in edits.records {
      keep(.entity(record.key), at: number)
      touch(record)
    }
    let edited = edits.records.flatMap(\.entries.keys).compactMap { entries[$0]?.key.request }
    return Set((edited + edits.requests).map(\.url))
  }

  /// Replaces the entity that a write inserted by the server's entity.
  func replaceInserted<View: EntityView>(
    _ write: Int, in requests: Set<RequestKey>, by view: View, _ record: EntityRecord
  ) {
    for request in requests {
      let own = (listEdits[request]?.layers ?? []).filter {
        $0.id == write && $0.edit.index != nil && $0.edit.record is EntityRecordOf<View.Whole>
      }
      guard own.count == 1, let draft = own.first?.edit.record, draft !== record else { continue }
      listEdits[request]?.update(write) { if $0.edit.record === draft { $0.edit.record = record } }
      record.lists.insert(request)
      leave(request, draft)
      draft.drop(write)
      forgetIfUnused(draft)
    }
  }

  /// Removes the edits of a write.
  func drop(_ write: Int) {
    guard let edits = writes.removeValue(forKey: write) else { return }
    for request in edits.requests { forgetList(request, write) }
    for record in edits.records {
      record.drop(write)
      touch(record)
      forgetIfUnused(record)
    }
  }

  private func forgetList(_ request: RequestKey, _ write: Int) {
    guard let edits = listEdits[request] else { return }
    listEdits[request]?.drop(write)
    if listEdits[request]?.layers.isEmpty ?? false { listEdits[request] = nil }
    for layer in edits.layers where layer.id == write { leave(request, layer.edit.record) }
    touch(request)
  }

  /// Records that a list's edits don't contain an entity any more, unless another edit contains it.
  private func leave(_ request: RequestKey, _ record: EntityRecord) {
    let layers = listEdits[request]?.layers ?? []
    guard !layers.contains(where: { $0.edit.record === record }) else { return }
    record.lists.remove(request)
    forgetIfUnused(record)
  }

  /// Keeps a settled edit, and forgets the oldest edits above a limit.
  private func keep(_ edit: SettledEdit, at number: UInt64) {
    for edit in settled.use(edit, at: number) {
      switch edit {
      case .entity(let key):
        guard let record = records[key] else { continue }
        record.forgetSettled()
        forgetIfUnused(record)
      case .list(let request, let write): forgetList(request, write)
      }
    }
  }

  // MARK: Accounts

  /// The accounts whose data is removed.
  enum Accounts: Sendable {
    case all
    /// An account; `nil` for the data without an account.
    case one(String?)

    func contains(_ account: Bytewise?) -> Bool {
      switch self {
      case .all: true
      case .one(let own): account == own.map(Bytewise.init)
      }
    }
  }

  /// Removes all data of accounts.
  func clear(_ accounts: Accounts) {
    for entry in entries.values where accounts.contains(entry.key.request.account) { remove(entry) }
    for key in records.keys where accounts.contains(key.account) { records[key] = nil }
    for key in listEdits.keys where accounts.contains(key.account) { listEdits[key] = nil }
    settled.removeAll { accounts.contains($0.account) }
    tagged.removeAll { accounts.contains($0.request.account) }
    for (id, write) in writes where accounts.contains(write.account.map(Bytewise.init)) {
      writes[id] = nil
    }
  }

  // MARK: Tags

  /// Records the tags of an entry's request, for use after the entry's removal.
  func note(_ entry: EntryState) {
    for tag in entry.tags {
      tagged.use(TaggedRequest(tag: tag, request: entry.key.request), at: lastNumber)
    }
  }

  /// Returns the recorded URLs with a tag, and the URLs of all entries with the tag.
  func urls(tagged tag: String) -> Set<Bytewise> {
    let entries = entries.values.filter { $0.tags.contains(tag) }.map(\.key.request)
    return Set((tagged.numbers.keys.filter { $0.tag == tag }.map(\.request) + entries).map(\.url))
  }
}
