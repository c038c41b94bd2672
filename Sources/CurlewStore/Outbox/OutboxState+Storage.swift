import CurlewJSON
import CurlewScreens
import Foundation

extension OutboxItem {
  init(id: UUID, _ stored: StoredAction, action: (any StoreAction)?) {
    self.init(
      id: id, name: stored.name, queue: stored.queue, account: stored.account, date: stored.date,
      action: action, state: action == nil ? .unreadable : .waiting(nil))
  }
}

extension OutboxState.Entry {
  /// Decodes a record of this or another process, perhaps of another version of the app.
  init(_ record: OutboxRecord, _ types: [String: any StoreAction.Type]) {
    self.record = record
    stored = try? FastJSONDecoder().decode(StoredAction.self, from: record.data)
    if let stored {
      let action = types[stored.name].flatMap { try? $0.decode(stored.action) }
      item = OutboxItem(id: record.id, stored, action: action)
    } else {
      item = OutboxItem(
        id: record.id, name: "", queue: record.id.uuidString, account: nil, date: .distantPast,
        action: nil, state: .unreadable)
    }
    if case .refused(let message)? = stored?.state, item.action != nil {
      item.state = .refused(LoadFailure(message: message))
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
    var removed: [Ended] = []
    var read: [Entry] = []
    for record in records where !unsaved.contains(record.id) {
      guard var entry = known.removeValue(forKey: record.id) else {
        read.append(Entry(record, types))
        continue
      }
      if entry.record != record {
        let new = Entry(record, types)
        (entry.record, entry.stored) = (record, new.stored)
        if entry.item.state == .unknown { entry.item.state = .waiting(nil) }
        if new.isRefused, entry.layers != nil {
          removed.append((takeLayers(entry), false))
          entry.layers = nil
        }
        if new.isRefused || entry.isRefused { entry.item.state = new.item.state }
      }
      read.append(entry)
    }
    for entry in entries where known[entry.item.id] != nil {
      removed.append((takeLayers(entry), true))
    }
    entries = read
    for index in entries.indices where !entries[index].isBusy && entries[index].item.action != nil {
      let isSent = entries[index].stored?.state == .sent
      switch entries[index].item.state {
      case .waiting where isSent: entries[index].item.state = .sending
      case .sending where !isSent, .unknown where !isSent:
        entries[index].item.state = .waiting(nil)
      default: break
      }
    }
    return removed
  }

  /// Stores a changed action; an action that was refused is stored after all others.
  mutating func store(
    _ stored: StoredAction, at index: Int, in storage: any OutboxStorage
  ) throws(OutboxError) {
    let record: OutboxRecord
    do {
      record = try stored.record(entries[index].item.id)
    } catch {
      throw .encoding(error)
    }
    let isLast = entries[index].isRefused && stored.state == .waiting
    try save(isLast ? [.remove(record.id), .append(record)] : [.replace(record)], in: storage)
    (entries[index].record, entries[index].stored) = (record, stored)
  }

  /// Removes an entry, which the storage no longer contains.
  mutating func remove(_ index: Int) -> Removed {
    defer { entries.remove(at: index) }
    return takeLayers(entries[index])
  }
}
