import CurlewJSON
import CurlewScreens
import Foundation

extension OutboxState.Entry {
  /// Decodes a record of this or another process, perhaps of another version of the app.
  init(
    _ record: OutboxRecord, _ stored: StoredAction?, _ types: [String: any StoreAction.Type],
    _ created: [CreatedIDs.Created]
  ) {
    // Without a name, the action is removed at most.
    let stored =
      stored
      ?? StoredAction(
        name: "", queue: record.id.uuidString, account: nil, date: .distantPast, action: Data())
    let action = types[stored.name].flatMap { try? $0.decode(stored.action) }
    self.record = record
    item = OutboxItem(id: record.id, action: action, state: .unreadable, stored: stored)
    guard action != nil else { return }
    item.state = stored.state.shown
    resolve(created)
  }

  /// Replaces the temporary ids of entities that were created since; returns whether there are any.
  @discardableResult
  fileprivate mutating func resolve(_ created: [CreatedIDs.Created]) -> Bool {
    let known = created.filter { item.stored.after.contains($0.action) }
    guard !known.isEmpty, var action = item.action else { return false }
    action.resolve(CreatedIDs(known: known))
    item.action = action
    item.stored.queue = action.queue
    return true
  }
}

extension StoredAction.State {
  /// The state as a process shows it that does not send the action.
  var shown: OutboxItem.State {
    switch self {
    case .waiting, .done: .waiting(nil)
    case .sent: .sending
    case .conflict: .conflict
    case .refused(let message): .refused(LoadFailure(message: message))
    }
  }
}

extension OutboxState {
  /// The edits of an action that has ended, and whether the server has performed it.
  typealias Ended = (removed: Removed, isDone: Bool)

  /// Reads the storage; returns the actions that other processes have ended.
  mutating func read(
    _ storage: any OutboxStorage, _ types: [String: any StoreAction.Type]
  ) -> [Ended] {
    guard let records = try? storage.all() else { return [] }
    let unsaved = Set(unsaved.map(\.id))
    var known = Dictionary(uniqueKeysWithValues: entries.map { ($0.item.id, $0) })
    var ended: [Ended] = []
    var read: [Entry] = []
    let performed = Dictionary(uniqueKeysWithValues: created.map { ($0.action, $0) })
    created.removeAll { !unsaved.contains($0.action) }
    for record in records where !unsaved.contains(record.id) {
      let old = known[record.id]
      if let old, old.record == record {
        read.append(old)
      } else if let ids = performed[record.id] {
        created.append(ids)
      } else {
        let stored = try? FastJSONDecoder().decode(StoredAction.self, from: record.data)
        if case .done(let ids)? = stored?.state {
          created.append((record.id, stored?.account, ids))
          continue
        }
        var entry = Entry(record, stored, types, created)
        if let old, entry.isRefused {
          ended.append((takeLayers(old), false))
        } else if let old {
          entry.adopt(old)
        }
        read.append(entry)
      }
      known[record.id] = nil
    }
    for entry in entries where known[entry.item.id] != nil {
      ended.append((takeLayers(entry), true))
    }
    entries = read
    resolve(created.map(\.action).filter { performed[$0] == nil })
    return ended
  }

  /// The number of performed actions whose ids are kept, for screens that still show temporary ids.
  private static var maximumCreated: Int { 100 }

  /// Replaces the temporary ids in the actions that come after performed actions.
  private mutating func resolve(_ performed: [UUID]) {
    guard !performed.isEmpty else { return }
    for index in entries.indices
    where entries[index].item.stored.after.contains(where: performed.contains) {
      if entries[index].resolve(created) { entries[index].hide() }
    }
  }

  /// Removes an action that the server has performed, and keeps the ids that it has given; a change that can't be stored is
  /// stored with the next one.
  mutating func finish(
    _ index: Int, _ ids: [CreatedID], in storage: any OutboxStorage
  ) -> Removed {
    var (item, changes) = (entries[index].item, [OutboxChange.remove(entries[index].item.id)])
    (item.stored.state, item.stored.action, item.stored.after) = (.done(ids), Data(), [])
    if !ids.isEmpty, let record = try? item.stored.record(item.id) {
      created.append((item.id, item.account, ids))
      let old = created.dropLast(Self.maximumCreated).map(\.action).filter { id in
        !entries.contains { $0.item.stored.after.contains(id) }
      }
      created.removeAll { old.contains($0.action) }
      changes = [.replace(record)] + old.map { .remove($0) }
    }
    if (try? save(changes, in: storage)) == nil { unsaved += changes }
    defer { resolve([item.id]) }
    return remove(index)
  }

  /// Stores a changed action, which may be replaced by another one.
  mutating func store(
    _ stored: StoredAction, _ action: (any StoreAction)? = nil, at index: Int,
    in storage: any OutboxStorage
  ) throws(OutboxError) {
    let new = try entries[index].changed(to: stored, action)
    try save([.replace(new.record)], in: storage)
    entries[index] = new
  }

  /// Sends an action again, or another one in its place: based on the server's value after a conflict; after all others
  /// after a refusal, because later actions of its queue may have been sent since.
  ///
  /// - Returns: The edits of actions that come after it, which are shown again above its edits.
  mutating func resend(
    _ index: Int, _ action: (any StoreAction)? = nil, at date: Date, in storage: any OutboxStorage
  ) throws(OutboxError) -> [Ended] {
    var (stored, action) = (entries[index].item.stored, action)
    if case .conflict(let theirs) = stored.state,
      let conditional = (action ?? entries[index].item.action) as? any ConditionalAction
    {
      do {
        action = try conditional.based(on: theirs)
      } catch {
        throw .encoding(error)
      }
      stored.version += 1
    }
    (stored.state, stored.date) = (.waiting, date)
    var new = try entries[index].changed(to: stored, action)
    new.item.state = .waiting(nil)
    guard entries[index].isRefused else {
      try save([.replace(new.record)], in: storage)
      entries[index] = new
      return []
    }
    let ids = chain(new.item.id)
    var moved = [new] + entries.filter { ids.dropFirst().contains($0.item.id) }
    try save(moved.flatMap { [.remove($0.item.id), .append($0.record)] }, in: storage)
    let removed = moved.map { (takeLayers($0), false) }
    for index in moved.indices { (moved[index].layers, moved[index].former) = (nil, nil) }
    entries.removeAll { ids.contains($0.item.id) }
    entries += moved
    return removed
  }

  /// Returns an action and all that come after it.
  func chain(_ id: UUID) -> [UUID] {
    entries.reduce(into: [id]) { ids, entry in
      if entry.item.stored.after.contains(where: ids.contains) { ids.append(entry.item.id) }
    }
  }

  /// Removes actions from the storage, and returns their edits.
  mutating func remove(
    _ ids: [UUID], isDone: Bool = false, in storage: any OutboxStorage
  ) throws(OutboxError) -> [Ended] {
    try save(ids.map { .remove($0) }, in: storage)
    return remove(ids, isDone: isDone)
  }

  /// Removes actions that the storage no longer contains, and returns their edits.
  mutating func remove(_ ids: [UUID], isDone: Bool = false) -> [Ended] {
    var ended: [Ended] = []
    for id in ids { if let index = index(id) { ended.append((remove(index), isDone)) } }
    return ended
  }

  private mutating func remove(_ index: Int) -> Removed {
    defer { entries.remove(at: index) }
    return takeLayers(entries[index])
  }
}

// MARK: Edits

extension OutboxState {
  typealias Hidden = (item: OutboxItem, action: any StoreAction, former: OutboxLayers?)
  typealias Shown = (item: OutboxItem, layers: OutboxLayers?, former: OutboxLayers?)

  /// Returns the actions whose edits are not shown, or whose entities are not known.
  mutating func takeHidden() -> [Hidden] {
    entries.indices.compactMap { index in
      let entry = entries[index]
      guard let action = entry.item.action, entry.layers == nil, !entry.isShowing,
        !entry.isRefused || entry.item.entities == nil
      else { return nil }
      // Two tasks must not replace the same edits.
      entries[index].isShowing = entry.former != nil
      return (entry.item, action, entry.former)
    }
  }

  /// Records the edits of an action; returns edits to remove, with their position in the queue.
  mutating func install(_ shown: Shown, at index: Int?) -> Removed {
    let isMoved = shown.former?.queue != shown.layers?.queue
    // Edits in the place of others have no position of their own.
    let unused = shown.layers.map { ($0, isMoved ? $0.permit : Waiter<Void>()) }
    guard let index else { return unused }
    let entry = entries[index]
    if shown.former != nil { entries[index].isShowing = false }
    if shown.item.entities != nil { entries[index].item.entities = shown.item.entities }
    guard entry.layers == nil, !entry.isRefused else { return unused }
    guard let layers = shown.layers else {
      entries[index].item.state = .waitingForSignIn
      return nil
    }
    (entries[index].layers, entries[index].former) = (layers, nil)
    // The action may have been replaced again.
    if entry.item.stored.action != shown.item.stored.action { entries[index].hide() }
    guard isMoved else { return nil }
    defer { permits[layers.queue, default: []].append(layers.permit) }
    return takeLayers(entry)
  }
}

extension OutboxState.Entry {
  /// Keeps what this process has of an action that another process has changed.
  fileprivate mutating func adopt(_ old: Self) {
    (layers, former, isShowing, isBusy) = (old.layers, old.former, old.isShowing, old.isBusy)
    (isRepeated, item.entities) = (old.isRepeated, old.item.entities)
    isUnsent = old.isUnsent && item.stored.requests == old.item.stored.requests
    if isBusy { item.state = old.item.state }
    if item.stored.action != old.item.stored.action { hide() }
  }

  /// Returns the entry of a changed action.
  fileprivate func changed(
    to stored: StoredAction, _ action: (any StoreAction)?
  ) throws(OutboxError) -> Self {
    var new = self
    new.item.stored = stored
    do {
      if let action {
        (new.item.action, new.item.stored.queue) = (action, action.queue)
        new.item.stored.action = try JSONEncoder().encode(action)
        new.hide()
      }
      new.record = try new.item.stored.record(item.id)
    } catch {
      throw .encoding(error)
    }
    return new
  }

  /// Makes the edits of a replaced action show next, in the place of its former edits.
  fileprivate mutating func hide() { (layers, former) = (nil, layers ?? former) }
}
