extension WorkTable {
  /// Lets the work of a part follow it to another id.
  ///
  /// - Parameters:
  ///   - from: The part's path until now.
  ///   - to: Its path from now on, which differs in the last element.
  mutating func move(from: [PartID], to: [PartID]) {
    hasMoved = true
    // What has the new name already belongs to a part that this one takes the place of.
    for id in idsInOrder where id.parts.starts(with: to) { cancel(id) }
    // Its screen is gone: by its new id the part that moves would be told.
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

  /// Returns the work with a generation, by whatever name it goes now; `nil` when it is not in these
  /// slots any longer.
  func slot(of id: WorkID, _ generation: UInt64, in slots: [WorkID: Slot]) -> Slot? {
    if let slot = slots[id], slot.generation == generation { return slot }
    return hasMoved ? slots.values.first { $0.generation == generation } : nil
  }
}

extension Dictionary where Key == WorkID {
  /// Lets what belongs to the work of a part follow it to another id.
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
