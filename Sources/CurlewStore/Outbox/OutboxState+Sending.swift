import CurlewScreens
import CurlewSupport
import Foundation

/// The edits of the actions, and the attempts to send them.
extension OutboxState {
  /// Returns whether the actions have changed since the last call.
  mutating func takeChanged() -> Bool {
    defer { isPublished = true }
    return !isPublished
  }

  /// The actions whose edits are not shown, or whose entities are not known, in their order.
  var hidden: [OutboxEntry] {
    hiddenIDs.sorted { entries.isOrdered($0, before: $1) }.compactMap { self[$0] }
  }

  /// Shows the edits of an action, in the place of former edits of the same queue.
  ///
  /// - Parameters:
  ///   - hidden: The action; if another task has changed it since, that task shows it.
  ///   - data: The edits; `nil` if the action is of another account than the current one.
  mutating func show(_ hidden: OutboxEntry, _ data: EditedData?, in tables: StoreTables) {
    guard var entry = self[hidden.id], entry.isHidden, entry.changes == hidden.changes else {
      return
    }
    defer { self[entry.id] = entry }
    if let data { entry.item.entities = data.entities }
    guard !entry.isRefused else { return }
    guard let data else {
      entry.item.state = .waitingForSignIn
      return
    }
    let queue = entry.item.queue
    let former = entry.edits?.queue == queue ? entry.edits : nil
    let permit = former == nil ? Waiter<Void>() : nil
    let edits = PendingEdits(
      data, queue: queue, permit: permit, account: entry.item.account, replacing: former?.write,
      in: tables)
    if let permit {
      end(entry, .send)
      permits[queue, default: []].append(permit)
    }
    entry.show(edits)
  }

  /// Removes the edits of all actions, which wait for their accounts.
  mutating func hide() {
    for var entry in all where entry.edits != nil {
      end(entry, .send)
      entry.show(nil)
      if !entry.isRefused { entry.item.state = .waitingForSignIn }
      self[entry.id] = entry
    }
  }

  /// Ends an entry's edits, and gives up a position in its queue: the first position for the first entry, so that other
  /// writes between the actions keep their order.
  mutating func end(
    _ entry: OutboxEntry, _ outcome: ActionOutcome, _ response: (any Sendable)? = nil
  ) {
    guard let edits = entry.edits, var permits = permits[edits.queue], !permits.isEmpty else {
      return
    }
    let isFirst = queues[edits.queue]?.first.map { $0 == entry.id } ?? true
    let permit = isFirst ? permits.removeFirst() : permits.removeLast()
    self.permits[edits.queue] = permits.isEmpty ? nil : permits
    ended.append(Ended(edits: edits, permit: permit, outcome: outcome, response: response))
  }

  mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended
  }

  // MARK: Attempts

  /// Returns the queues whose tasks start: those whose first action is ready to be sent, in the order of their actions,
  /// up to a number of tasks that do not pause.
  mutating func start(_ maximum: Int) -> [String] {
    let count = maximum - running.count + pauses.count
    guard count > 0, !idle.isEmpty else { return [] }
    let ready = idle.compactMap { queues[$0]?.first.flatMap { self[$0] } }.filter { isReady($0) }
    let started = ready.sorted { entries.isOrdered($0.id, before: $1.id) }.prefix(count)
      .map(\.item.queue)
    running.formUnion(started)
    idle.subtract(started)
    return started
  }

  /// Returns the first action of a queue, and its position, if the action is ready to be sent; otherwise, the queue's
  /// task ends.
  mutating func next(_ queue: String) -> (item: OutboxItem, permit: Waiter<Void>)? {
    guard let entry = queues[queue]?.first.flatMap({ self[$0] }), isReady(entry),
      let permit = permits[queue]?.first
    else {
      running.remove(queue)
      if queues[queue] != nil { idle.insert(queue) }
      return nil
    }
    return (entry.item, permit)
  }

  /// Marks an action as being sent, or as unknown if its effect must be checked; returns `nil` if it is not the first of its
  /// queue any more, not ready, or too old.
  ///
  /// A request that must not be repeated is marked in the storage, too, before it leaves, and the first of an action that
  /// another process has stored.
  mutating func beginAttempt(
    _ id: UUID, _ permit: Waiter<Void>, at date: Date, _ maximumAge: Duration
  ) throws(OutboxError) -> OutboxEntry? {
    guard let entry = self[id], let action = entry.item.action, isReady(entry),
      queues[action.queue]?.first == id, permits[action.queue]?.first === permit
    else { return nil }
    var stored = entry.item.stored
    // With the lease, no other process waits for the response.
    let isUnknown = stored.state == .sent
    if !isUnknown {
      guard date <= stored.date + maximumAge / .seconds(1) else {
        refuse(id, LoadFailure(message: UserTexts.current.unsentForTooLong))
        return nil
      }
      // Other processes know that an action which they have stored may have had an effect.
      if action.repeats == .never || !entry.isUnsent && !stored.isSent {
        if action.repeats == .never { stored.state = .sent }
        stored.requests += 1
        try store(id, stored)
      }
    }
    update(id) { ($0.isBusy, $0.item.state) = (true, isUnknown ? .unknown : .sending) }
    return self[id]
  }

  /// Ends what actions wait for: a sign-in, or the next check.
  mutating func retry() {
    for var entry in all where entry.isChecked || entry.item.state == .waitingForSignIn {
      entry.isChecked = false
      if entry.item.state == .waitingForSignIn { entry.item.state = entry.item.stored.state.shown }
      self[entry.id] = entry
    }
  }
}
