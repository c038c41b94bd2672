import Curlew
import CurlewScreens
import Foundation

/// What a store knows: its entries, its entities, and the edits of writes that run.
///
/// It is used under the store's lock, and knows neither tasks nor time.
final class StoreTables {
  /// The maximum number of entities and lists that are kept because an edit of theirs was settled: what the HTTP
  /// cache holds may be from before.
  static let keptEdits = 10_000

  private(set) var lastNumber: UInt64 = 0
  private(set) var lastID = 0
  private(set) var entries: [Int: StoredEntry] = [:]
  private var ids: [StoredEntry.Key: Int] = [:]
  private var records: [EntityRecord.Key: EntityRecord] = [:]
  private var listEdits: [RequestKey: [ListEdit]] = [:]
  private var writes: [Int: Write] = [:]
  var queues: [String: [Waiter<Void>]] = [:]
  /// The keys of the entities with settled edits and the requests whose lists have them, the oldest first.
  private var settled: [SettledEdit] = []
  private var consumers: ChangeSignal.Consumers = []
  var turns: [Waiter<Void>.Ended] = []
  /// The requests that were tagged, for when their entries have been dropped.
  private(set) var tagged: [String: [RequestKey: @Sendable (Client) async -> Void]] = [:]

  private struct Write {
    var records: [EntityRecord] = []
    var requests: Set<RequestKey> = []
    var account: String?
  }

  private enum SettledEdit {
    case entity(EntityRecord.Key)
    case list(RequestKey, write: Int)
  }

  // MARK: Numbers

  /// Returns a new identity of an entry, a transfer, a consumer or a write.
  func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// Returns the number of a request that leaves, or of a write that settles, now: greater than those before, and than
  /// those of responses that were stored before.
  func nextNumber(_ date: Date) -> UInt64 {
    lastNumber = max(lastNumber + 1, Self.number(at: date))
    return lastNumber
  }

  /// Returns the number of a request that left at a date: microseconds since 1970.
  static func number(at date: Date) -> UInt64 {
    let time = date.timeIntervalSince1970 * 1_000_000
    return time > 0 ? UInt64(min(time, 4e18)) : 0
  }

  // MARK: Entries

  func entry<Value>(_ key: RequestKey, _ make: StoreEntry<Value>) -> StoredEntryOf<Value> {
    let key = StoredEntry.Key(request: key, value: ObjectIdentifier(Value.self))
    if let id = ids[key], let known = entries[id] as? StoredEntryOf<Value> {
      assert(
        known.location == make.location,
        "Two transforms make \(Value.self) of “\(key.request.request)”, at \(known.location) and \(make.location). Make the entry in one function."
      )
      return known
    }
    let entry = StoredEntryOf(nextID(), key, make)
    ids[key] = entry.id
    entries[entry.id] = entry
    return entry
  }

  /// Returns an entry if there is one.
  func known<Value>(_ key: RequestKey, as: Value.Type) -> StoredEntryOf<Value>? {
    ids[StoredEntry.Key(request: key, value: ObjectIdentifier(Value.self))]
      .flatMap { entries[$0] } as? StoredEntryOf<Value>
  }

  /// Forgets an entry; its consumers get no more values.
  func remove(_ entry: StoredEntry) {
    entries[entry.id] = nil
    ids[entry.key] = nil
    entry.transfer?.task.cancel()
    entry.polling?.cancel()
    consumers += entry.signal.end()
    for record in entry.records {
      record.entries.remove(entry.id)
      if record.entries.isEmpty { forgetIfUnused(record) }
    }
  }

  /// Tells the consumers of an entry that it may have changed.
  func touch(_ entry: StoredEntry) {
    entry.isDirty = true
    consumers += entry.signal.publish()
  }

  /// Tells the consumers of all entries that hold an entity.
  func touch(_ record: EntityRecord) {
    for id in record.entries { if let entry = entries[id] { touch(entry) } }
  }

  /// Returns the consumers and the writes to resume after the lock.
  func takeResumed() -> (ChangeSignal.Consumers, [Waiter<Void>.Ended]) {
    defer { (consumers, turns) = ([], []) }
    return (consumers, turns)
  }

  // MARK: Entities

  func record<View: EntityView>(of: View.Type, _ id: View.ID, _ account: String?)
    -> EntityRecordOf<View.Whole>
  {
    let key = EntityRecord.Key(
      type: ObjectIdentifier(View.Whole.self), id: AnyHashable(id), account: account)
    if let known = records[key] as? EntityRecordOf<View.Whole> { return known }
    let record = EntityRecordOf<View.Whole>(key)
    records[key] = record
    return record
  }

  func known<View: EntityView>(_: View.Type, _ id: View.ID, _ account: String?) -> View? {
    let key = EntityRecord.Key(
      type: ObjectIdentifier(View.Whole.self), id: AnyHashable(id), account: account)
    return (records[key] as? EntityRecordOf<View.Whole>)?.shown.view(View.self)
  }

  func forgetIfUnused(_ record: EntityRecord) {
    if record.entries.isEmpty, record.isForgettable { records[record.key] = nil }
  }

  // MARK: Writes

  /// Begins a write; returns its identity.
  func beginWrite(_ id: Int, account: String?) {
    writes[id] = Write(account: account)
  }

  func isWriting(_ id: Int) -> Bool { writes[id] != nil }

  func edit<View: EntityView>(
    _ write: Int, _: View.Type, _ id: View.ID,
    _ change: @escaping (inout EntityRecordOf<View.Whole>.Shape) -> Bool
  ) {
    guard let account = writes[write]?.account as String?? else { return }
    let record = record(of: View.self, id, account)
    record.add(write, change)
    writes[write]?.records.append(record)
    touch(record)
  }

  /// Adds an edit of a request's list; an entity that it inserts, and that is not known, is known from now on.
  ///
  /// - Parameter index: Where the entity is inserted; `nil` to take it out.
  func editList<View: EntityView>(
    _ write: Int, of request: RequestKey, _: View.Type, _ id: View.ID, inserting view: View? = nil,
    at index: Int?
  ) {
    edit(write, View.self, id) { shape in
      if let view, shape.view(View.self) == nil { shape.set(view) }
      return true
    }
    guard let record = writes[write]?.records.last else { return }
    listEdits[request, default: []].append(ListEdit(write: write, record: record, index: index))
    writes[write]?.requests.insert(request)
    touch(request)
  }

  /// The edits of a list whose request had a number: those that are pending, and those that settled later.
  func listEdits(of request: RequestKey, since number: UInt64) -> [ListEdit] {
    guard !listEdits.isEmpty, let all = listEdits[request] else { return [] }
    return all.filter { edit in edit.settledAt.map { $0 > number } ?? true }
  }

  /// Settles the edits of a write, with the entities that its response holds.
  func settle(_ write: Int, at number: UInt64, storing arrivals: [ResponseEntity]) {
    guard let edits = writes.removeValue(forKey: write) else { return }
    for arrival in arrivals { arrival.settle(self, write, number, edits.account, edits.requests) }
    for record in edits.records { record.settle(write, at: number) }
    for request in edits.requests {
      for index in listEdits[request, default: []].indices
      where listEdits[request]![index].write == write {
        listEdits[request]![index].settledAt = number
      }
      settled.append(.list(request, write: write))
      touch(request)
    }
    for record in edits.records {
      settled.append(.entity(record.key))
      touch(record)
    }
    while settled.count > Self.keptEdits { forgetSettled(settled.removeFirst()) }
  }

  /// Lets a server's entity take the place of the one that a write has inserted.
  func replaceInserted<View: EntityView>(
    _ write: Int, in requests: Set<RequestKey>, by view: View, _ record: EntityRecord
  ) {
    for request in requests {
      let own = listEdits[request, default: []].indices.filter {
        listEdits[request]![$0].write == write
          && listEdits[request]![$0].index != nil && listEdits[request]![$0].record is EntityRecordOf<View.Whole>
      }
      guard own.count == 1, let index = own.first else { continue }
      let draft = listEdits[request]![index].record
      guard draft !== record else { continue }
      listEdits[request]![index].record = record
      draft.drop(write)
      forgetIfUnused(draft)
    }
  }

  /// Takes the edits of a write away.
  func drop(_ write: Int) {
    guard let edits = writes.removeValue(forKey: write) else { return }
    for request in edits.requests {
      listEdits[request]?.removeAll { $0.write == write }
      if listEdits[request]?.isEmpty ?? false { listEdits[request] = nil }
      touch(request)
    }
    for record in edits.records {
      record.drop(write)
      touch(record)
      forgetIfUnused(record)
    }
  }

  private func touch(_ request: RequestKey) {
    for (key, id) in ids where key.request == request { if let entry = entries[id] { touch(entry) } }
  }

  private func forgetSettled(_ edit: SettledEdit) {
    switch edit {
    case .entity(let key):
      guard let record = records[key], record.entries.isEmpty, !record.isPending else { return }
      records[key] = nil
    case .list(let request, let write):
      listEdits[request]?.removeAll { $0.write == write }
      if listEdits[request]?.isEmpty ?? false { listEdits[request] = nil }
    }
  }

  // MARK: Accounts

  /// Forgets everything of an account; of all for `nil`.
  func clear(_ account: String??) {
    func isMeant(_ other: String?) -> Bool { account == nil || account == .some(other) }
    for entry in entries.values where isMeant(entry.key.request.account) { remove(entry) }
    for key in records.keys where isMeant(key.account) { records[key] = nil }
    for key in listEdits.keys where isMeant(key.account) { listEdits[key] = nil }
    for (id, write) in writes where isMeant(write.account) { writes[id] = nil }
    for tag in tagged.keys { tagged[tag] = tagged[tag]?.filter { !isMeant($0.key.account) } }
  }

  /// Remembers a request's tags, for when its entry has been dropped.
  func note(_ entry: StoredEntry) {
    for tag in entry.tags where (tagged[tag]?.count ?? 0) < Self.keptEdits {
      tagged[tag, default: [:]][entry.key.request] = entry.invalidate
    }
  }
}
