import CurlewScreens
import Foundation

/// Changes of the actions, which are stored before they show.
extension OutboxState {
  /// Adds an action, unless a limit is reached.
  mutating func append(_ entry: OutboxEntry, _ limits: Store.Limits) throws(OutboxError) {
    guard entries.count < limits.actions, size + entry.record.data.count <= limits.actionsSize
    else { throw .full }
    try save([.append(entry.record)])
    self[entry.id] = entry
  }

  /// Stores a changed action, which may be replaced by another one.
  mutating func store(
    _ id: UUID, _ stored: StoredAction, _ action: (any StoreAction)? = nil
  ) throws(OutboxError) {
    guard let new = try self[id]?.changed(to: stored, action) else { return }
    try save([.replace(new.record)])
    self[id] = new
  }

  /// Changes an action, and stores its new state, if possible.
  mutating func update(
    _ id: UUID, storing new: StoredAction.State? = nil, _ body: (inout OutboxEntry) -> Void
  ) {
    guard var entry = self[id] else { return }
    body(&entry)
    self[id] = entry
    guard let new else { return }
    entry.item.stored.state = new
    try? store(id, entry.item.stored)
  }

  /// Sends an action again, or another one in its place: based on the server's value after a conflict; after all others
  /// after a refusal, because later actions of its queue may have been sent since.
  mutating func resend(
    _ entry: OutboxEntry, _ action: (any StoreAction)? = nil, at date: Date
  ) throws(OutboxError) {
    var (stored, action) = (entry.item.stored, action)
    if case .conflict(let theirs) = stored.state,
      let conditional = (action ?? entry.item.action)?.conditional
    {
      action = try conditional.based(on: theirs)
      stored.version += 1
    }
    (stored.state, stored.date) = (.waiting, date)
    var new = try entry.changed(to: stored, action)
    new.item.state = .waiting(nil)
    guard entry.isRefused else {
      try save([.replace(new.record)])
      self[entry.id] = new
      return
    }
    // The edits of actions that come after it are shown again above its edits.
    let moved = [new] + chain(entry.id).dropFirst().compactMap { self[$0] }
    try save(moved.flatMap { [.remove($0.id), .append($0.record)] })
    for var entry in moved {
      end(entry, .send)
      entry.show(nil)
      self[entry.id] = nil
      self[entry.id] = entry
    }
  }

  /// Keeps an action without its edits, to be shown to its user.
  mutating func refuse(_ id: UUID, _ failure: LoadFailure) {
    if let entry = self[id] { end(entry, .send) }
    update(id, storing: .refused(failure.message)) { entry in
      entry.show(nil)
      (entry.isBusy, entry.item.state) = (false, .refused(failure))
    }
  }

  /// Removes an action that the server has performed, and keeps the ids that it has given.
  mutating func finish(
    _ id: UUID, _ ids: [CreatedID] = [], response: (any Sendable)? = nil
  ) {
    guard let entry = self[id] else { return }
    var (stored, changes) = (entry.item.stored, [OutboxChange.remove(id)])
    (stored.state, stored.action) = (.done(ids), Data())
    if !ids.isEmpty, let record = try? stored.record(id) {
      created.append((id, stored.account, ids))
      let needed = Set(all.flatMap(\.item.stored.after))
      let old = created.dropLast(Self.maximumCreated).map(\.action).filter { !needed.contains($0) }
      created.removeAll { old.contains($0.action) }
      changes = [.replace(record)] + old.map { .remove($0) }
    }
    saveEventually(changes)
    end(entry, .done, response)
    self[id] = nil
    if !ids.isEmpty { resolve([id]) }
  }

  /// The number of performed actions whose ids are kept, for screens that still show temporary ids.
  private static var maximumCreated: Int { 100 }

  /// Replaces the temporary ids in the actions that come after performed actions.
  mutating func resolve(_ performed: [UUID]) {
    guard !performed.isEmpty else { return }
    for var entry in all where entry.item.stored.after.contains(where: performed.contains) {
      entry.resolve(created)
      self[entry.id] = entry
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
    let ids = performed + all.map(\.item).filter { isRemoved($0.account) }.map(\.id)
    created.removeAll { isRemoved($0.account) }
    saveEventually(ids.map { .remove($0) })
    removeStored(ids, .drop)
  }

  private mutating func removeStored(_ ids: [UUID], _ outcome: ActionOutcome) {
    for entry in ids.compactMap({ self[$0] }) {
      end(entry, outcome)
      self[entry.id] = nil
    }
  }
}
