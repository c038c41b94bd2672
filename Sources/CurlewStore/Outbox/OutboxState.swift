import CurlewJSON
import CurlewScreens
import CurlewSupport
import Foundation

/// The actions of a store, and the tasks that send them; used under a lock.
struct OutboxState: Sendable {
  /// A task that waits before the next attempt.
  struct Pause: Sendable {
    let waiter: Waiter<Void>
    /// Whether any response from the server ends the pause.
    let isOffline: Bool
  }

  /// The edits of an action that has left, and the position in its queue to give up.
  struct Ended: Sendable {
    let edits: PendingEdits
    let permit: Waiter<Void>
    /// ``ActionOutcome/send`` if the action is kept.
    let outcome: ActionOutcome
    let response: (any Sendable)?
  }

  let outbox: Outbox
  private(set) var entries: [OutboxEntry] = []
  /// The queues with a task, and those whose task waits before the next attempt.
  var running: Set<String> = []
  var pauses: [String: Pause] = [:]
  /// The positions of the actions in the store's queues, which are exchangeable within a queue.
  private(set) var permits: [String: [Waiter<Void>]] = [:]
  /// The number of tasks that use the lease.
  private var leases = 0
  /// The ids that performed actions have received, the newest last.
  private(set) var created: [CreatedIDs.Created] = []
  /// The changes that could not be stored, to be stored with the next ones.
  private var unsaved: [OutboxChange] = []
  /// The edits to end after the lock has been released.
  private var ended: [Ended] = []

  init(_ outbox: Outbox) { self.outbox = outbox }

  // MARK: Entries

  func index(_ id: UUID) -> Int? { entries.firstIndex { $0.item.id == id } }

  /// The index of the first action in a queue that is not refused.
  func first(_ queue: String) -> Int? {
    entries.firstIndex { $0.item.queue == queue && !$0.isRefused }
  }

  /// Whether an entry waits for nothing but its turn.
  func isReady(_ entry: OutboxEntry) -> Bool {
    entry.isReady && !entry.item.stored.after.contains { index($0) != nil }
  }

  /// Returns an action and all that come after it.
  func chain(_ id: UUID) -> [UUID] {
    entries.reduce(into: [id]) { ids, entry in
      if entry.item.stored.after.contains(where: ids.contains) { ids.append(entry.item.id) }
    }
  }

  // MARK: Storage

  /// Stores changes, and earlier ones that could not be stored.
  private mutating func save(_ changes: [OutboxChange]) throws(OutboxError) {
    let changes = unsaved + changes
    guard !changes.isEmpty else { return }
    do {
      try outbox.storage.apply(changes)
      unsaved = []
    } catch {
      throw .storage(error)
    }
  }

  /// Stores changes now, or with the next ones.
  private mutating func saveEventually(_ changes: [OutboxChange]) {
    if (try? save(changes)) == nil { unsaved += changes }
  }

  /// Reads what other processes have changed.
  mutating func read() {
    guard let records = try? outbox.storage.all() else { return }
    let unsaved = Set(unsaved.map(\.id))
    var known = Dictionary(uniqueKeysWithValues: entries.map { ($0.item.id, $0) })
    let performed = Dictionary(uniqueKeysWithValues: created.map { ($0.action, $0) })
    created.removeAll { !unsaved.contains($0.action) }
    var read: [OutboxEntry] = []
    for record in records where !unsaved.contains(record.id) {
      if let old = known[record.id], old.record == record {
        read.append(old)
      } else if let ids = performed[record.id] {
        created.append(ids)
      } else {
        let stored = try? FastJSONDecoder().decode(StoredAction.self, from: record.data)
        if case .done(let ids)? = stored?.state {
          created.append((record.id, stored?.account, ids))
          continue
        }
        var entry = OutboxEntry(record, stored, outbox.types, created)
        if let old = known[record.id], entry.isRefused {
          end(old, .send)
        } else if let old = known[record.id] {
          entry.adopt(old)
        }
        read.append(entry)
      }
      known[record.id] = nil
    }
    for entry in entries where known[entry.item.id] != nil { end(entry, .done) }
    entries = read
    resolve(created.map(\.action).filter { performed[$0] == nil })
  }

  /// Acquires the lease, unless another queue has it, and reads what other processes have changed before any queue
  /// continues; returns `false` if another process has the lease.
  mutating func acquireLease() -> Bool {
    if leases == 0 {
      guard (try? outbox.storage.acquireLease()) == true else { return false }
      read()
    }
    leases += 1
    return true
  }

  mutating func releaseLease() {
    leases -= 1
    if leases == 0 { outbox.storage.releaseLease() }
  }

  // MARK: Changes

  /// Adds an action, unless a limit is reached.
  mutating func append(_ entry: OutboxEntry, _ limits: Store.Limits) throws(OutboxError) {
    let size = entries.reduce(entry.record.data.count) { $0 + $1.record.data.count }
    guard entries.count < limits.actions, size <= limits.actionsSize else { throw .full }
    try save([.append(entry.record)])
    entries.append(entry)
  }

  /// Stores a changed action, which may be replaced by another one.
  mutating func store(
    _ stored: StoredAction, _ action: (any StoreAction)? = nil, at index: Int
  ) throws(OutboxError) {
    let new = try entries[index].changed(to: stored, action)
    try save([.replace(new.record)])
    entries[index] = new
  }

  /// Changes an action, and stores its new state, if possible.
  mutating func update(
    _ id: UUID, storing new: StoredAction.State? = nil, _ body: (inout OutboxEntry) -> Void
  ) {
    guard let index = index(id) else { return }
    body(&entries[index])
    guard let new else { return }
    var stored = entries[index].item.stored
    stored.state = new
    try? store(stored, at: index)
  }

  /// Sends an action again, or another one in its place: based on the server's value after a conflict; after all others
  /// after a refusal, because later actions of its queue may have been sent since.
  mutating func resend(
    _ index: Int, _ action: (any StoreAction)? = nil, at date: Date
  ) throws(OutboxError) {
    var (stored, action) = (entries[index].item.stored, action)
    if case .conflict(let theirs) = stored.state,
      let conditional = (action ?? entries[index].item.action)?.conditional
    {
      action = try conditional.based(on: theirs)
      stored.version += 1
    }
    (stored.state, stored.date) = (.waiting, date)
    var new = try entries[index].changed(to: stored, action)
    new.item.state = .waiting(nil)
    guard entries[index].isRefused else {
      try save([.replace(new.record)])
      entries[index] = new
      return
    }
    // The edits of actions that come after it are shown again above its edits.
    let ids = chain(new.item.id)
    var moved = [new] + entries.filter { ids.dropFirst().contains($0.item.id) }
    try save(moved.flatMap { [.remove($0.item.id), .append($0.record)] })
    for index in moved.indices {
      end(moved[index], .send)
      moved[index].show(nil)
    }
    entries.removeAll { ids.contains($0.item.id) }
    entries += moved
  }

  /// Keeps an action without its edits, to be shown to its user.
  mutating func refuse(_ id: UUID, _ failure: LoadFailure) {
    if let index = index(id) { end(entries[index], .send) }
    update(id, storing: .refused(failure.message)) { entry in
      entry.show(nil)
      (entry.isBusy, entry.item.state) = (false, .refused(failure))
    }
  }

  /// Removes an action that the server has performed, and keeps the ids that it has given.
  mutating func finish(
    _ id: UUID, _ ids: [CreatedID] = [], response: (any Sendable)? = nil
  ) {
    guard let index = index(id) else { return }
    var (stored, changes) = (entries[index].item.stored, [OutboxChange.remove(id)])
    (stored.state, stored.action, stored.after) = (.done(ids), Data(), [])
    if !ids.isEmpty, let record = try? stored.record(id) {
      created.append((id, stored.account, ids))
      let old = created.dropLast(Self.maximumCreated).map(\.action).filter { id in
        !entries.contains { $0.item.stored.after.contains(id) }
      }
      created.removeAll { old.contains($0.action) }
      changes = [.replace(record)] + old.map { .remove($0) }
    }
    saveEventually(changes)
    end(entries[index], .done, response)
    entries.remove(at: index)
    resolve([id])
  }

  /// The number of performed actions whose ids are kept, for screens that still show temporary ids.
  private static var maximumCreated: Int { 100 }

  /// Replaces the temporary ids in the actions that come after performed actions.
  private mutating func resolve(_ performed: [UUID]) {
    guard !performed.isEmpty else { return }
    for index in entries.indices
    where entries[index].item.stored.after.contains(where: performed.contains) {
      entries[index].resolve(created)
    }
  }

  /// Removes actions, also from the storage.
  mutating func remove(_ ids: [UUID], _ outcome: ActionOutcome) throws(OutboxError) {
    try save(ids.map { .remove($0) })
    removeStored(ids, outcome)
  }

  /// Removes the actions of accounts that were cleared, and the ids that they have received.
  mutating func remove(where isRemoved: (_ account: String?) -> Bool) {
    let performed = created.filter { isRemoved($0.account) }.map(\.action)
    let ids = performed + entries.map(\.item).filter { isRemoved($0.account) }.map(\.id)
    created.removeAll { isRemoved($0.account) }
    saveEventually(ids.map { .remove($0) })
    removeStored(ids, .drop)
  }

  private mutating func removeStored(_ ids: [UUID], _ outcome: ActionOutcome) {
    for id in ids {
      guard let index = index(id) else { continue }
      end(entries[index], outcome)
      entries.remove(at: index)
    }
  }

  // MARK: Edits

  /// The actions whose edits are not shown, or whose entities are not known.
  var hidden: [OutboxEntry] {
    entries.filter { entry in
      entry.item.action != nil && (entry.isRefused ? entry.item.entities == nil : entry.isHidden)
    }
  }

  /// Shows the edits of an action, in the place of former edits of the same queue.
  ///
  /// - Parameter data: The edits; `nil` if the action is of another account than the current one.
  mutating func show(_ data: EditedData?, at index: Int, in tables: StoreTables) {
    let (item, old) = (entries[index].item, entries[index].edits)
    if let data { entries[index].item.entities = data.entities }
    guard !entries[index].isRefused else { return }
    guard let data else {
      entries[index].item.state = .waitingForSignIn
      return
    }
    let former = old?.queue == item.queue ? old : nil
    let permit = former == nil ? Waiter<Void>() : nil
    let edits = PendingEdits(
      data, queue: item.queue, permit: permit, account: item.account, replacing: former?.write,
      in: tables)
    if let permit {
      end(entries[index], .send)
      permits[item.queue, default: []].append(permit)
    }
    entries[index].show(edits)
  }

  /// Removes the edits of all actions, which wait for their accounts.
  mutating func hide() {
    for index in entries.indices where entries[index].edits != nil {
      end(entries[index], .send)
      entries[index].show(nil)
      if !entries[index].isRefused { entries[index].item.state = .waitingForSignIn }
    }
  }

  /// Ends an entry's edits, and gives up a position in its queue: the first position for the first entry, so that other
  /// writes between the actions keep their order.
  private mutating func end(
    _ entry: OutboxEntry, _ outcome: ActionOutcome, _ response: (any Sendable)? = nil
  ) {
    guard let edits = entry.edits, var permits = permits[edits.queue], !permits.isEmpty else {
      return
    }
    let isFirst = first(edits.queue).map { entries[$0].item.id == entry.item.id } ?? true
    let permit = isFirst ? permits.removeFirst() : permits.removeLast()
    self.permits[edits.queue] = permits.isEmpty ? nil : permits
    ended.append(Ended(edits: edits, permit: permit, outcome: outcome, response: response))
  }

  mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  // MARK: Attempts

  /// Returns the first action of a queue, and its position, if the action is ready to be sent; otherwise, the queue's
  /// task ends.
  mutating func next(_ queue: String) -> (item: OutboxItem, permit: Waiter<Void>)? {
    guard let index = first(queue), isReady(entries[index]), let permit = permits[queue]?.first
    else {
      running.remove(queue)
      return nil
    }
    return (entries[index].item, permit)
  }

  /// Marks an action as being sent, or as unknown if its effect must be checked; returns `nil` if it is not the first of its
  /// queue any more, not ready, or too old.
  ///
  /// A request that must not be repeated is marked in the storage, too, before it leaves, and the first of an action that
  /// another process has stored.
  mutating func beginAttempt(
    _ id: UUID, _ permit: Waiter<Void>, at date: Date, _ maximumAge: Duration
  ) throws(OutboxError) -> OutboxEntry? {
    guard let index = index(id), let action = entries[index].item.action, isReady(entries[index]),
      first(action.queue) == index, permits[action.queue]?.first === permit
    else { return nil }
    var stored = entries[index].item.stored
    // With the lease, no other process waits for the response.
    let isUnknown = stored.state == .sent
    if !isUnknown {
      guard date <= stored.date + maximumAge / .seconds(1) else {
        refuse(id, LoadFailure(message: UserTexts.current.unsentForTooLong))
        return nil
      }
      // Other processes know that an action which they have stored may have had an effect.
      if action.repeats == .never || !entries[index].isUnsent && !stored.isSent {
        if action.repeats == .never { stored.state = .sent }
        stored.isSent = true
        try store(stored, at: index)
      }
    }
    entries[index].isBusy = true
    entries[index].item.state = isUnknown ? .unknown : .sending
    return entries[index]
  }

  /// Ends what actions wait for: a sign-in, or the next check.
  mutating func retry() {
    for index in entries.indices {
      entries[index].isChecked = false
      if entries[index].item.state == .waitingForSignIn {
        entries[index].item.state = entries[index].item.stored.state.shown
      }
    }
  }
}
