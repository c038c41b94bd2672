extension WorkTable {
  /// Lets the work of a part follow it to another id.
  ///
  /// - Parameters:
  ///   - from: The part's path until now.
  ///   - to: Its path from now on, which differs in the last element.
  mutating func move(from: [PartID], to: [PartID]) {
    hasMoved = true
    let element = to.part.element
    // What has the new name already belongs to a part that this one takes the place of.
    for id in slots.keys where id.parts.starts(with: to) { cancel(id) }
    // Its screen is gone: by its new id the part that moves would be told.
    forgetCancelled(of: to)
    for (id, slot) in slots where id.parts.starts(with: from) {
      var slot = slot
      slot.waiting?.entry.move(from, to, element)
      slot.running?.entry.move(from, to, element)
      slots[id] = nil
      slots[id.moved(from, to)] = slot
    }
    for number in writes.keys { writes[number]?.move(from, to, element) }
    for (id, queue) in queues where id.parts.starts(with: from) {
      queues[id] = nil
      queues[id.moved(from, to)] = queue
    }
    moveGuarded(from, to)
    move(partsFrom: from, to)
  }

  private mutating func move(partsFrom from: [PartID], _ to: [PartID]) {
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

  /// Returns the name of the running work with a generation; `nil` when it has ended.
  func running(_ id: WorkID, _ generation: UInt64) -> WorkID? {
    if slots[id]?.running?.generation == generation { return id }
    return hasMoved ? slots.first { $0.value.running?.generation == generation }?.key : nil
  }

  /// Returns the name of the waiting work with a generation; `nil` when it waits no longer.
  func waiting(_ id: WorkID, _ generation: UInt64) -> WorkID? {
    if slots[id]?.waiting?.generation == generation { return id }
    return hasMoved ? slots.first { $0.value.waiting?.generation == generation }?.key : nil
  }
}

extension Entry {
  fileprivate mutating func move(_ from: [PartID], _ to: [PartID], _ element: ElementID?) {
    id = id.moved(from, to)
    for index in parts.indices where parts[index].starts(with: from) {
      if parts[index].count == from.count { job.rename(index, element) }
      parts[index] = parts[index].moved(from, to)
    }
  }
}

extension WorkID {
  func moved(_ from: [PartID], _ to: [PartID]) -> WorkID {
    guard parts.starts(with: from) else { return self }
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
