import Curlew
import CurlewScreens
import CurlewSupport
public import Foundation
import Synchronization

extension Store {
  /// Stores an action, shows its edits, and sends its request when the earlier writes of its queue have finished: now, when
  /// the network is back, or after a restart.
  ///
  /// When it returns, the action is in the outbox's storage, and its edits are visible; writing a file takes some
  /// milliseconds. The action stays in ``outbox`` until the server has performed it. In a screen, use
  /// `CurlewScreens.Work.perform(_:in:after:replacing:finished:)`.
  ///
  /// - Parameters:
  ///   - action: The action, whose type is one of the store's `outbox`.
  ///   - earlier: An action of any queue that must be performed before; it takes this action with it when it is dropped.
  ///   - former: An action to replace, with its id and its position: one that waits, was refused, or is in conflict with a
  ///     newer value, on which the new action is based.
  /// - Returns: The id of the action's ``OutboxItem``.
  /// - Throws: ``OutboxError`` if the action can't be stored, or its former may have been sent; then nothing changes.
  @discardableResult
  public func perform<A: StoreAction>(
    _ action: A, after earlier: OutboxItem.ID? = nil, replacing former: OutboxItem.ID? = nil
  ) throws(OutboxError) -> OutboxItem.ID {
    let id = try add(action, after: earlier, replacing: former)
    startSending()
    return id
  }

  /// Stores an action, and shows its edits.
  func add<A: StoreAction>(
    _ action: A, after earlier: OutboxItem.ID?, replacing former: OutboxItem.ID?
  ) throws(OutboxError) -> OutboxItem.ID {
    precondition(
      actions.types[A.name] == A.self,
      "Pass \(A.self).self to the store's outbox, so that it can be decoded.")
    // The edits of actions that other processes have added before are beneath this action's.
    readOutbox()
    let account = action.account(in: self)
    let ids = outboxState.withLock { CreatedIDs($0, account) }
    var action = action
    action.resolve(ids)
    if let former {
      try replace(former, by: action)
      return former
    }
    let after = ids.actions + (earlier.map { [$0] } ?? [])
    if let id = try collapse(action, after) { return id }
    let (id, storage, limits) = (UUID(), actions.storage, limits)
    let stored: StoredAction
    let record: OutboxRecord
    do {
      stored = StoredAction(
        name: A.name, queue: action.queue, account: account, date: now(),
        action: try JSONEncoder().encode(action), after: after)
      record = try stored.record(id)
    } catch {
      throw .encoding(error)
    }
    let item = OutboxItem(id: id, action: action, state: .waiting(nil), stored: stored)
    try outboxState.withLock { state throws(OutboxError) in
      let size = state.entries.reduce(record.data.count) { $0 + $1.record.data.count }
      guard state.entries.count < limits.actions, size <= limits.actionsSize else { throw .full }
      try state.save([.append(record)], in: storage)
      state.entries.append(OutboxState.Entry(item: item, record: record, isUnsent: true))
    }
    show([])
    return id
  }

  /// Replaces an action that no process sends.
  private func replace(
    _ id: OutboxItem.ID, by action: some StoreAction
  ) throws(OutboxError) {
    guard acquireLease() else { throw .started }
    defer { releaseLease() }
    let (storage, now) = (actions.storage, now())
    let removed = try outboxState.withLock { state throws(OutboxError) in
      guard let index = state.index(id), state.entries[index].isReplaceable else { throw .started }
      return try state.resend(index, action, at: now, in: storage)
    }
    show(removed)
  }

  /// Combines a new action with the last of its queue, if no process sends that; returns the id of the last action.
  private func collapse<A: StoreAction>(
    _ action: A, _ after: [OutboxItem.ID]
  ) throws(OutboxError) -> OutboxItem.ID? {
    let last = outboxState.withLock { state in
      state.entries.last { $0.item.queue == action.queue && !$0.isRefused }
    }
    guard let last, let earlier = last.item.action as? A else { return nil }
    let combined = action.collapse(with: earlier)
    guard combined.count < 2, last.item.account == action.account(in: self),
      Set(after).isSubset(of: last.item.stored.after), acquireLease()
    else { return nil }
    defer { releaseLease() }
    let (id, storage, now) = (last.item.id, actions.storage, now())
    let ended = try outboxState.withLock { state throws(OutboxError) -> [OutboxState.Ended]? in
      guard let index = state.index(id), state.entries[index].record == last.record,
        state.entries[index].isReplaceable, state.chain(id).count == 1
      else { return nil }
      let isUnsent = state.entries[index].isUnsent && last.item.stored.requests == 0
      guard isUnsent || action.repeats == .idempotent, last.item.state != .conflict else {
        return nil
      }
      // The server may have performed the earlier action.
      guard let new = combined.first ?? (isUnsent ? nil : action) else {
        return try state.remove([id], in: storage)
      }
      return try state.resend(index, new, at: now, in: storage)
    }
    guard let ended else { return nil }
    show(ended)
    return id
  }

  /// Sends all waiting actions now, as when a user requests it: reads what other processes have added, ends the waits
  /// before retries and for a sign-in, and checks the unknown actions again.
  public func sendActions() {
    outboxState.withLock { state in
      for index in state.entries.indices {
        state.entries[index].isChecked = false
        let item = state.entries[index].item
        if item.state == .waitingForSignIn {
          state.entries[index].item.state = item.stored.state.shown
        }
      }
    }
    endPauses { _ in true }
    readOutbox()
    startSending()
  }

  /// Decides about an action that is unknown, in conflict, or was refused, or removes one that waits.
  ///
  /// - Parameters:
  ///   - outcome: ``ActionOutcome/send`` to send the action again: in a conflict based on the newer value, which it
  ///     overwrites, and after a refusal after all others. ``ActionOutcome/done`` to keep the edits of an unknown action,
  ///     which the server has performed. ``ActionOutcome/drop`` to remove any action, and those that come after it, which
  ///     takes the server's value in a conflict, and dismisses a refusal; a request that is being sent is not cancelled.
  ///   - id: The action; if it is not in ``outbox``, nothing happens.
  /// - Throws: ``OutboxError`` if the decision can't be stored; then nothing changes.
  public func decide(_ outcome: ActionOutcome, for id: OutboxItem.ID) throws(OutboxError) {
    readOutbox()
    let (storage, now) = (actions.storage, now())
    let ended = try outboxState.withLock { state throws(OutboxError) -> [OutboxState.Ended] in
      guard let index = state.index(id) else { return [] }
      let entry = state.entries[index]
      switch outcome {
      case .send where entry.isRefused || [.unknown, .conflict].contains(entry.item.state):
        return entry.isBusy ? [] : try state.resend(index, at: now, in: storage)
      case .done where entry.item.state == .unknown:
        return try state.remove([id], isDone: true, in: storage)
      case .drop: return try state.remove(state.chain(id), in: storage)
      case .send, .done: return []
      }
    }
    show(ended)
    startSending()
  }

  // MARK: Entries

  /// Reads what other processes have changed, and shows it.
  func readOutbox() {
    let (storage, types) = (actions.storage, actions.types)
    show(outboxState.withLock { $0.read(storage, types) })
  }

  /// Ends the edits of actions that other processes have removed, and shows the edits of new actions.
  func show(_ ended: [OutboxState.Ended]) {
    for (removed, isDone) in ended { finish(removed, isDone: isDone) }
    showActions()
    publishOutbox()
  }

  /// Shows the edits of actions that are not shown yet, or were replaced, unless they are of another account than the
  /// current one.
  func showActions() {
    var isHidden = true
    while isHidden {
      let hidden = outboxState.withLock { $0.takeHidden() }
      guard !hidden.isEmpty else { return }
      let shown = hidden.map { item, action, former -> OutboxState.Shown in
        var item = item
        guard action.account(in: self) == item.account else { return (item, nil, former) }
        if case .refused = item.state {
          item.entities = action.entities(in: self)
          return (item, nil, nil)
        }
        let layers = action.begin(in: self, item.account, replacing: former)
        item.entities = layers.entities
        return (item, layers, former)
      }
      let left: [OutboxState.Removed]
      (left, isHidden) = outboxState.withLock { state in
        let indices = Dictionary(
          uniqueKeysWithValues: zip(state.entries.lazy.map(\.item.id), state.entries.indices))
        return (
          shown.map { state.install($0, at: indices[$0.item.id]) },
          // An action may have been replaced again.
          shown.contains { item, layers, _ in
            layers != nil && indices[item.id].map { state.entries[$0].former != nil } ?? false
          }
        )
      }
      for unused in left.compactMap(\.self) { unused.layers.drop(self, unused.permit) }
    }
  }

  /// Removes actions, also from the storage, whose account was cleared.
  func removeActions(where isRemoved: @Sendable (_ account: String?) -> Bool) {
    let (storage, types) = (actions.storage, actions.types)
    let ended = outboxState.withLock { state -> [OutboxState.Ended] in
      let ended = state.read(storage, types)
      let created = state.created.filter { isRemoved($0.account) }.map(\.action)
      let ids = created + state.entries.map(\.item).filter { isRemoved($0.account) }.map(\.id)
      state.created.removeAll { isRemoved($0.account) }
      if let removed = try? state.remove(ids, in: storage) { return ended + removed }
      state.unsaved += ids.map { .remove($0) }
      return ended + state.remove(ids)
    }
    show(ended)
    startSending()
  }

  /// Removes the edits of all actions, which wait for their accounts.
  func hideActions() {
    let removed = outboxState.withLock { state in
      state.entries.indices.map { index -> OutboxState.Removed in
        let removed = state.takeLayers(state.entries[index])
        (state.entries[index].layers, state.entries[index].former) = (nil, nil)
        if !state.entries[index].isRefused, removed != nil {
          state.entries[index].item.state = .waitingForSignIn
        }
        return removed
      }
    }
    for removed in removed.compactMap(\.self) { removed.layers.drop(self, removed.permit) }
    publishOutbox()
  }

  /// Removes or settles the edits of an action that has left the outbox.
  private func finish(_ removed: OutboxState.Removed, isDone: Bool) {
    guard let removed else { return }
    if !isDone { removed.layers.drop(self, removed.permit) }
    _ = WorkExecutor.task(isShared: true) { [self] in
      if isDone {
        await removed.layers.settle(self, removed.permit)
      } else {
        await invalidate(removed.layers.stale)
      }
    }
  }

  /// Shows the actions in ``outbox``.
  func publishOutbox() {
    outbox.update { [weak self] items in
      if let self { items = outboxState.withLock { $0.entries.map(\.item) } }
    }
  }
}
