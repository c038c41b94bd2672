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
  /// The entries of a request, with values of different types.
  private var requests: [RequestKey: [EntryState]] = [:]
  /// The entries without consumers and transfers; the least recently used first.
  private var unused: [EntryState] = []
  private var records: [EntityRecord.Key: EntityRecord] = [:]
  /// The edits of the lists in a request's value, by the ids of their writes.
  private var listEdits: [RequestKey: Edits<Int, ListEdit>] = [:]
  private var writes: [Int: Write] = [:]
  /// The task that retries failed loads while the server is unreachable.
  var retries: Task<Void, Never>?
  /// The writes of each queue, by their permits to begin; the first is running.
  private var queues: [String: [Waiter<Void>]] = [:]
  /// The entities and the lists with settled edits, kept because the HTTP cache may contain responses from before the
  /// edits.
  private var settled = RecentKeys<EntityRecord.Key>()
  private var settledLists = RecentKeys<ListWrite>()
  /// The tagged requests, kept after their entries have been removed.
  private var tagged = RecentKeys<TaggedRequest>()
  /// The numbers of the responses whose bodies are in the client's cache.
  private var bodies = RecentKeys<UUID>()
  /// Closures that resume or cancel consumers, writes and tasks after the lock has been released.
  var resumptions: [@Sendable () -> Void] = []

  /// Settles a write with an entity in its response; returns the entity's record.
  typealias Arrival = @Sendable (StoreTables, Write, _ number: UInt64) -> EntityRecord

  private struct ListWrite: Hashable {
    let request: RequestKey
    let write: Int
  }

  private struct TaggedRequest: Hashable {
    let tag: String
    let request: RequestKey
  }

  // MARK: Numbers

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

  /// Returns the number of a response's request, which a transfer with a number has returned.
  ///
  /// Dates are no order, because a user may set the clock back: the date counts only if the response comes from the cache,
  /// and this store has not loaded it. A response from the future is older than all that is known.
  func number(of response: Client.Reading, in number: UInt64, now: Date) -> UInt64 {
    guard response.isFromCache else {
      if let id = response.id { bodies.use(id, at: number) }
      return number
    }
    if let known = response.id.flatMap({ bodies.numbers[$0] }) { return known }
    guard let time = response.requestTime, time <= now else { return 1 }
    return min(Self.number(at: time), number)
  }

  // MARK: Entries

  /// Returns a request's entry, which is created if necessary, for a new consumer or a prefetch.
  func use<Value>(_ key: RequestKey, _ make: StoreEntry<Value>) -> EntryStateOf<Value> {
    guard let known = known(key, as: Value.self) else {
      let entry = EntryStateOf(nextID(), key, make)
      requests[key, default: []].append(entry)
      entries[entry.id] = entry
      return entry
    }
    assert(
      known.entry.location == make.location,
      "Two different transforms of “\(key.request.text)” produce \(Value.self), at \(known.entry.location) and \(make.location). Create the entry in one function."
    )
    known.tags.formUnion(make.tags)
    if let index = unused.firstIndex(where: { $0 === known }) { unused.remove(at: index) }
    return known
  }

  func known<Value>(_ key: RequestKey, as: Value.Type) -> EntryStateOf<Value>? {
    requests[key]?.lazy.compactMap { $0 as? EntryStateOf<Value> }.first
  }

  /// Records since when an entry is unused, if it has neither consumers nor a transfer.
  func markUnused(_ entry: EntryState, at now: Duration) {
    guard entry.consumers.isEmpty, entry.transfer == nil else { return }
    entry.unusedSince = now
    unused.append(entry)
  }

  /// Removes unused entries: after a time limit, and above a size limit.
  func sweep(at now: Duration, _ limits: Store.Limits) {
    var size = unused.reduce(0) { $0 + $1.cost }
    let removed = unused.prefix { entry in
      guard size > limits.unusedSize || now - entry.unusedSince >= limits.unusedTime else {
        return false
      }
      size -= entry.cost
      return true
    }
    unused.removeFirst(removed.count)
    for entry in removed { remove(entry) }
  }

  private func remove(_ entry: EntryState) {
    entries[entry.id] = nil
    requests[entry.request]?.removeAll { $0 === entry }
    if requests[entry.request]?.isEmpty == true { requests[entry.request] = nil }
    cancel(entry.transfer?.task)
    cancel(entry.polling.take())
    touch(entry)
    for record in entry.records.joined() {
      record.entries[entry.id] = nil
      forgetIfUnused(record)
    }
  }

  /// Notifies the consumers of an entry that it may have changed, or was removed.
  func touch(_ entry: EntryState) {
    entry.isDirty = true
    for consumer in entry.consumers.values {
      let waiting = consumer.signal.publish()
      if !waiting.isEmpty { resumptions.append { waiting.resume() } }
    }
  }

  /// Notifies the consumers of all entries that show an entity.
  func touch(_ record: EntityRecord) {
    let listed = record.lists.flatMap { requests[$0] ?? [] }
    for entry in record.entries.keys.compactMap({ entries[$0] }) + listed {
      entry.changed?.append(record)
      touch(entry)
    }
  }

  /// Notifies the consumers of a request's entries that the list's edits have changed.
  private func touch(_ request: RequestKey) {
    for entry in requests[request] ?? [] {
      entry.changed = nil
      touch(entry)
    }
  }

  /// Cancels a task after the lock has been released.
  func cancel(_ task: Task<Void, Never>?) {
    if let task { resumptions.append { task.cancel() } }
  }

  /// Resumes the first write in a queue after the lock has been released, if it still waits.
  private func startFirst(_ queue: String) {
    if let write = queues[queue]?.first?.end() { resumptions.append { write.resume() } }
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

  func receive<View: EntityView>(_ view: View, _ account: String?, at number: UInt64)
    -> EntityRecord
  {
    let record = record(of: View.self, view.id, account)
    if record.receive(view, at: number) { touch(record) }
    return record
  }

  func known<View: EntityView>(_: View.Type, _ id: View.ID, _ account: String?) -> View? {
    let key = EntityRecord.Key(View.self, id, account)
    return (records[key] as? EntityRecordOf<View.Whole>)?.shown.view(View.self)
  }

  /// Makes an entry without a value observe an entity, as if its value contained the entity.
  func watch<View: EntityView>(_: View.Type, _ id: View.ID, by entry: EntryState) {
    guard !entry.hasValue, entry.records.isEmpty else { return }
    let record = record(of: View.self, id, entry.request.account?.text)
    entry.records = [[record]]
    record.entries[entry.id] = 0
  }

  func forgetIfUnused(_ record: EntityRecord) {
    if record.entries.isEmpty, record.lists.isEmpty, record.isForgettable {
      records[record.key] = nil
    }
  }

  // MARK: Writes

  func join(_ queue: String, _ permit: Waiter<Void>) {
    queues[queue, default: []].append(permit)
    startFirst(queue)
  }

  func releasePermit(_ queue: String, _ permit: Waiter<Void>) {
    queues[queue]?.removeAll { $0 === permit }
    if queues[queue]?.isEmpty == true { queues[queue] = nil }
    startFirst(queue)
  }

  /// Begins a write, or removes the edits of a write to replace them; returns `nil` if that write has ended.
  func beginWrite(_ account: String?, replacing former: Int? = nil) -> Write? {
    if let former {
      guard let write = writes[former], !write.isCleared else { return nil }
      removeEdits(of: write)
      return write
    }
    let write = Write(nextID(), account: account)
    writes[write.id] = write
    return write
  }

  /// Records that a write's request is sent now; returns false if the write's account was cleared.
  ///
  /// - Parameter isRepeated: Whether the response may be as of the first request.
  func sendWrite(_ id: Int, at date: Date, isRepeated: Bool = false) -> Bool {
    guard let write = writes[id], !write.isCleared else { return false }
    if !isRepeated || write.sentAt == nil { write.sentAt = nextNumber(date) }
    return true
  }

  var firstSent: UInt64 { writes.values.compactMap(\.sentAt).min() ?? .max }

  func edit<View: EntityView>(
    _ write: Write, _: View.Type, _ id: View.ID,
    _ change: @escaping (inout EntityRecordOf<View.Whole>.Shape) -> Bool
  ) {
    let record = record(of: View.self, id, write.account)
    record.edits.insert(EntityRecordOf.Edit(change: change), by: write.id)
    write.records.append(record)
    touch(record)
  }

  /// Adds an edit of a request's list, a removal without an index; an unknown entity that it inserts becomes known.
  func editList<View: EntityView>(
    _ write: Write, of request: RequestKey, _: View.Type, _ id: View.ID, inserting view: View?,
    at index: Int?
  ) {
    let record = record(of: View.self, id, write.account)
    record.lists.insert(request)
    listEdits[request, default: Edits()]
      .insert(ListEdit(record: record, index: index), by: write.id)
    write.requests.insert(request)
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

  /// Settles the edits of a write, with the entities in its response; returns the URLs of the edited entries.
  func settle(_ id: Int, at number: UInt64, storing arrivals: [Arrival]) -> Set<Bytewise> {
    guard let write = writes.removeValue(forKey: id) else { return [] }
    endShared(of: write, true)
    guard !write.isCleared else { return [] }
    for arrival in arrivals { retainSettled(arrival(self, write, number).key, at: number) }
    for record in write.records {
      record.settle(id, at: number)
      retainSettled(record.key, at: number)
      touch(record)
    }
    for request in write.requests {
      listEdits[request]?.update(id) { $0.settledAt = number }
      for list in settledLists.use(ListWrite(request: request, write: id), at: number) {
        forgetList(list.request, list.write)
      }
      touch(request)
    }
    let edited = write.records.flatMap(\.entries.keys).compactMap { entries[$0]?.request }
    return Set((edited + write.requests).map(\.url))
  }

  /// Replaces the entity that a write inserted by the server's entity.
  func replaceInserted<View: EntityView>(
    _ write: Write, by: View.Type, _ record: EntityRecord
  ) {
    for request in write.requests {
      let own = (listEdits[request]?.layers ?? []).filter {
        $0.id == write.id && $0.edit.index != nil && $0.edit.record is EntityRecordOf<View.Whole>
      }
      guard own.count == 1, let draft = own.first?.edit.record, draft !== record else { continue }
      listEdits[request]?.update(write.id) {
        if $0.edit.record === draft { $0.edit.record = record }
      }
      record.lists.insert(request)
      removeEdited(request, draft)
      draft.drop(write.id)
      forgetIfUnused(draft)
    }
  }

  /// Removes the edits of a write; returns false if the write's account was cleared.
  func drop(_ id: Int) -> Bool {
    guard let write = writes.removeValue(forKey: id) else { return false }
    removeEdits(of: write)
    return !write.isCleared
  }

  private func removeEdits(of write: Write) {
    for request in write.requests { forgetList(request, write.id) }
    for record in write.records {
      record.drop(write.id)
      touch(record)
      forgetIfUnused(record)
    }
    (write.requests, write.records) = ([], [])
    endShared(of: write, false)
  }

  private func forgetList(_ request: RequestKey, _ write: Int) {
    guard let edits = listEdits[request] else { return }
    listEdits[request]?.drop(write)
    if listEdits[request]?.layers.isEmpty ?? false { listEdits[request] = nil }
    for layer in edits.layers where layer.id == write { removeEdited(request, layer.edit.record) }
    touch(request)
  }

  /// Records that a list's edits don't contain an entity any more, unless another edit contains it.
  private func removeEdited(_ request: RequestKey, _ record: EntityRecord) {
    let layers = listEdits[request]?.layers ?? []
    guard !layers.contains(where: { $0.edit.record === record }) else { return }
    record.lists.remove(request)
    forgetIfUnused(record)
  }

  /// Keeps an entity's settled edits, and forgets the oldest above a limit.
  private func retainSettled(_ key: EntityRecord.Key, at number: UInt64) {
    for record in settled.use(key, at: number).compactMap({ records[$0] }) {
      record.forgetSettled()
      forgetIfUnused(record)
    }
  }

  // MARK: Accounts

  func clear(_ contains: (Bytewise?) -> Bool) {
    for entry in entries.values where contains(entry.request.account) { remove(entry) }
    unused.removeAll { contains($0.request.account) }
    for key in records.keys where contains(key.account) { records[key] = nil }
    for key in listEdits.keys where contains(key.account) { listEdits[key] = nil }
    settled.removeAll { contains($0.account) }
    settledLists.removeAll { contains($0.request.account) }
    tagged.removeAll { contains($0.request.account) }
    for write in writes.values where contains(write.account.map(Bytewise.init)) { write.clear() }
  }

  // MARK: Tags

  /// Records the tags of an entry's request, for use after the entry's removal.
  func recordTags(_ entry: EntryState) {
    for tag in entry.tags {
      tagged.use(TaggedRequest(tag: tag, request: entry.request), at: lastNumber)
    }
  }

  /// Returns the recorded URLs with a tag, and the URLs of all entries with the tag.
  func urls(tagged tag: String) -> Set<Bytewise> {
    let entries = entries.values.filter { $0.tags.contains(tag) }.map(\.request)
    return Set((tagged.numbers.keys.filter { $0.tag == tag }.map(\.request) + entries).map(\.url))
  }
}
