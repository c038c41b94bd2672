import CurlewJSON
import CurlewScreens
import Foundation

extension OutboxState.Entry {
  /// Decodes a record of this or another process, perhaps of another version of the app.
  init(_ record: OutboxRecord, _ types: [String: any StoreAction.Type]) {
    // Without a name, the action is removed at most.
    let stored =
      (try? FastJSONDecoder().decode(StoredAction.self, from: record.data))
      ?? StoredAction(
        name: "", queue: record.id.uuidString, account: nil, date: .distantPast, action: Data())
    let action = types[stored.name].flatMap { try? $0.decode(stored.action) }
    self.record = record
    item = OutboxItem(id: record.id, action: action, state: .unreadable, stored: stored)
    if action != nil { item.state = stored.state.shown }
  }
}

extension StoredAction.State {
  /// The state as a process shows it that does not send the action.
  var shown: OutboxItem.State {
    switch self {
    case .waiting: .waiting(nil)
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
    for record in records where !unsaved.contains(record.id) {
      var entry = Entry(record, types)
      if let old = known.removeValue(forKey: record.id) {
        guard old.record != record else {
          read.append(old)
          continue
        }
        if entry.isRefused {
          ended.append((takeLayers(old), false))
        } else {
          entry.adopt(old)
        }
      }
      read.append(entry)
    }
    for entry in entries where known[entry.item.id] != nil {
      ended.append((takeLayers(entry), true))
    }
    entries = read
    return ended
  }

  /// Stores a changed action, which may be replaced by another one; an action that was refused is stored after all others.
  mutating func store(
    _ stored: StoredAction, _ action: (any StoreAction)? = nil, at index: Int,
    in storage: any OutboxStorage
  ) throws(OutboxError) {
    var (new, stored) = (entries[index], stored)
    do {
      if let action {
        (stored.queue, stored.action) = (action.queue, try JSONEncoder().encode(action))
      }
      new.record = try stored.record(new.item.id)
    } catch {
      throw .encoding(error)
    }
    let isLast = new.isRefused && stored.state == .waiting
    let changes =
      isLast ? [.remove(new.item.id), .append(new.record)] : [OutboxChange.replace(new.record)]
    try save(changes, in: storage)
    new.item.stored = stored
    if let action { new.replace(action) }
    entries[index] = new
  }

  /// Sends an action again, or another one in its place: based on the server's value after a conflict, after all others
  /// after a refusal, because later actions of its queue may have been sent since.
  mutating func resend(
    _ index: Int, _ action: (any StoreAction)? = nil, in storage: any OutboxStorage
  ) throws(OutboxError) {
    let (item, isRefused) = (entries[index].item, entries[index].isRefused)
    var (stored, action) = (item.stored, action)
    if case .conflict(let theirs) = stored.state,
      let conditional = (action ?? item.action) as? any ConditionalAction
    {
      do {
        action = try conditional.based(on: theirs)
      } catch {
        throw .encoding(error)
      }
      stored.version += 1
    }
    stored.state = .waiting
    try store(stored, action, at: index, in: storage)
    entries[index].item.state = .waiting(nil)
    if isRefused { entries.append(entries.remove(at: index)) }
  }

  /// Removes an entry, which the storage no longer contains.
  mutating func remove(_ index: Int) -> Removed {
    defer { entries.remove(at: index) }
    return takeLayers(entries[index])
  }
}

// MARK: Edits

extension OutboxState {
  typealias Hidden = (item: OutboxItem, action: any StoreAction, former: OutboxLayers?)
  typealias Shown = (
    id: UUID, layers: OutboxLayers?, entities: [EntityName]?, former: OutboxLayers?
  )

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
    if let entities = shown.entities { entries[index].item.entities = entities }
    guard entry.layers == nil, !entry.isRefused else { return unused }
    guard let layers = shown.layers else {
      entries[index].item.state = .waitingForSignIn
      return nil
    }
    (entries[index].layers, entries[index].former) = (layers, nil)
    guard isMoved else { return nil }
    defer { permits[layers.queue, default: []].append(layers.permit) }
    return takeLayers(entry)
  }
}

extension OutboxState.Entry {
  /// Keeps what this process has of an action that another process has changed.
  fileprivate mutating func adopt(_ old: Self) {
    (layers, former, isBusy) = (old.layers, old.former, old.isBusy)
    (isRepeated, item.entities) = (old.isRepeated, old.item.entities)
    if isBusy { item.state = old.item.state }
    if item.stored.action != old.item.stored.action, let action = item.action { replace(action) }
  }

  /// Replaces the action; its edits are shown next, in the place of the former edits.
  fileprivate mutating func replace(_ action: any StoreAction) {
    item.action = action
    (layers, former) = (nil, layers ?? former)
  }
}
