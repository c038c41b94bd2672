extension WorkTable {
  /// Renames the work of a part whose id has changed.
  ///
  /// - Parameters:
  ///   - from: The part's former path.
  ///   - to: The part's new path, which differs in the last element.
  mutating func move(from: [PartID], to: [PartID]) {
    hasMoved = true
    // Existing work with the new name belongs to a part that the moved part replaces.
    for id in idsInOrder where id.parts.starts(with: to) { cancel(id) }
    // The replaced part's screen is gone: under the new id, the moved part would be notified
    // instead.
    cancelled.removeAll { $0.parts.contains(to) }
    waiting.move(from, to) { $0.entry.move(from, to) }
    running.move(from, to) { $0.entry.move(from, to) }
    queues.move(from, to) { _ in }
    for number in writes.keys { writes[number]?.move(from, to) }
    guarded = guarded.map { $0.moved(from, to) }
    for (list, counts) in parts {
      if list.starts(with: from) {
        parts[list] = nil
        parts[list.moved(from, to)] = counts
      } else if list == from.withoutElement, let count = parts[list]?.removeValue(forKey: from.part)
      {
        parts[list]?[to.part, default: 0] += count
      }
    }
  }

  /// Returns the work with a generation, even if its name has changed; `nil` when it is no longer in
  /// these slots.
  func slot(of id: WorkID, _ generation: UInt64, in slots: [WorkID: Slot]) -> Slot? {
    if let slot = slots[id], slot.generation == generation { return slot }
    return hasMoved ? slots.values.first { $0.generation == generation } : nil
  }
}

extension Dictionary where Key == WorkID {
  /// Renames the values of a part's work when the part's id has changed.
  fileprivate mutating func move(
    _ from: [PartID], _ to: [PartID], _ change: (inout Value) -> Void
  ) {
    for (id, value) in self where id.parts.starts(with: from) {
      var value = value
      change(&value)
      self[id] = nil
      self[id.moved(from, to)] = value
    }
  }
}

extension Entry {
  fileprivate mutating func move(_ from: [PartID], _ to: [PartID]) {
    id = id.moved(from, to)
    for index in parts.indices where parts[index].starts(with: from) {
      if parts[index].count == from.count { job.rename(index, to.part.element) }
      parts[index] = parts[index].moved(from, to)
    }
  }
}

extension WorkID {
  func moved(_ from: [PartID], _ to: [PartID]) -> WorkID {
    var id = self
    id.parts = parts.moved(from, to)
    return id
  }
}

extension [PartID] {
  func moved(_ from: [PartID], _ to: [PartID]) -> [PartID] {
    starts(with: from) ? to + dropFirst(from.count) : self
  }
}
