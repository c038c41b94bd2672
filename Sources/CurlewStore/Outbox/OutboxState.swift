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
    /// ``ActionOutcome/send`` if the action is kept; otherwise, what its edits were based on may have changed.
    let outcome: ActionOutcome
    let response: (any Sendable)?
  }

  let outbox: Outbox
  var entries = OrderedItems<OutboxEntry>()
  /// The actions of each queue that are not refused, in their order.
  var queues: [String: [UUID]] = [:]
  /// The actions whose edits are not shown, or whose entities are not known.
  var hiddenIDs: Set<UUID> = []
  /// The size of all records in bytes.
  var size = 0
  var isPublished = true
  /// The version of the storage with which the entries agree.
  private var version: Int?
  /// The queues with a task, and those whose task waits before the next attempt.
  var running: Set<String> = []
  /// The queues without a task.
  var idle: Set<String> = []
  var pauses: [String: Pause] = [:]
  /// The positions of the actions in the store's queues, which are exchangeable within a queue.
  var permits: [String: [Waiter<Void>]] = [:]
  /// The number of tasks that use the lease.
  private var leases = 0
  /// The ids that performed actions have received, the newest last.
  var created: [CreatedIDs.Created] = []
  /// The changes that could not be stored, to be stored with the next ones.
  var unsaved: [OutboxChange] = []
  /// The edits to end after the lock has been released.
  var ended: [Ended] = []

  init(_ outbox: Outbox) { self.outbox = outbox }

  // MARK: Entries

  var all: [OutboxEntry] { entries.all }

  /// An action; a new one is the last, `nil` removes it.
  subscript(id: UUID) -> OutboxEntry? {
    get { entries[id] }
    set {
      let old = entries[id]
      entries[id] = newValue
      entries[id]?.item.stamp = OutboxItem.Stamp()
      size += (newValue?.record.data.count ?? 0) - (old?.record.data.count ?? 0)
      if newValue?.isHidden ?? false { hiddenIDs.insert(id) } else { hiddenIDs.remove(id) }
      isPublished = false
      guard old?.waitingQueue != newValue?.waitingQueue else { return }
      if let queue = old?.waitingQueue {
        queues[queue]?.removeAll { $0 == id }
        if queues[queue]?.isEmpty == true {
          queues[queue] = nil
          idle.remove(queue)
        }
      }
      if let queue = newValue?.waitingQueue {
        if !running.contains(queue) { idle.insert(queue) }
        let ids = queues[queue] ?? []
        let index = ids.lastIndex { entries.isOrdered($0, before: id) } ?? -1
        queues[queue, default: []].insert(id, at: index + 1)
      }
    }
  }

  /// Returns the last action of an account that creates an entity.
  func creator(_ account: String?, _ isSame: (EntityName) -> Bool) -> UUID? {
    all.last { entry in
      entry.item.account == account
        && entry.item.entities?.contains { $0.isInserted && isSame($0) } ?? false
    }?.id
  }

  /// The last action in a queue that is not refused.
  func last(_ queue: String) -> OutboxEntry? { queues[queue]?.last.flatMap { self[$0] } }

  /// Whether an entry waits for nothing but its turn.
  func isReady(_ entry: OutboxEntry) -> Bool {
    entry.isReady && !entry.item.stored.after.contains { self[$0] != nil }
  }

  /// Returns an action and all that come after it.
  func chain(_ id: UUID) -> [UUID] {
    all.reduce(into: [id]) { ids, entry in
      if entry.item.stored.after.contains(where: ids.contains) { ids.append(entry.id) }
    }
  }

  // MARK: Storage

  /// Stores changes, and earlier ones that could not be stored.
  mutating func save(_ changes: [OutboxChange]) throws(OutboxError) {
    let changes = unsaved + changes
    guard !changes.isEmpty else { return }
    do {
      try outbox.storage.apply(changes)
      version? += changes.count
      unsaved = []
    } catch {
      throw .storage(error)
    }
  }

  /// Stores changes now, or with the next ones.
  mutating func saveEventually(_ changes: [OutboxChange]) {
    if (try? save(changes)) == nil { unsaved += changes }
  }

  /// Reads what other processes have changed.
  mutating func read() {
    guard let (version, records) = try? unread() else { return }
    self.version = version
    let unsaved = Set(unsaved.map(\.id))
    let performed = Dictionary(uniqueKeysWithValues: created.map { ($0.action, $0) })
    created.removeAll { !unsaved.contains($0.action) }
    var (read, known) = ([OutboxEntry](), Set<UUID>())
    for record in records where !unsaved.contains(record.id) {
      if let old = self[record.id], old.record == record {
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
        if let old = self[record.id], entry.isRefused {
          end(old, .drop)
        } else if let old = self[record.id] {
          entry.adopt(old)
        }
        read.append(entry)
      }
      known.insert(record.id)
    }
    let old = all
    for entry in old where !known.contains(entry.id) { end(entry, .done) }
    // The order may be another one.
    for entry in old { self[entry.id] = nil }
    for entry in read { self[entry.id] = entry }
    resolve(created.map(\.action).filter { performed[$0] == nil })
  }

  /// Returns the records and their version, unless the version is known.
  private func unread() throws -> (version: Int?, records: [OutboxRecord])? {
    let version = try outbox.storage.version()
    if version != nil, version == self.version { return nil }
    return (version, try outbox.storage.all())
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
}
