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
  /// `CurlewScreens.Work.perform(_:in:finished:)`.
  ///
  /// - Parameter action: The action, whose type is one of the store's `outbox`.
  /// - Returns: The id of the action's ``OutboxItem``.
  /// - Throws: ``OutboxError`` if the action can't be stored; then nothing is shown.
  @discardableResult
  public func perform<A: StoreAction>(_ action: A) throws(OutboxError) -> OutboxItem.ID {
    let id = try add(action)
    startSending()
    return id
  }

  /// Stores an action, and shows its edits.
  func add<A: StoreAction>(_ action: A) throws(OutboxError) -> OutboxItem.ID {
    precondition(
      actions.types[A.name] == A.self,
      "Pass \(A.self).self to the store's outbox, so that it can be decoded.")
    let (id, storage) = (UUID(), actions.storage)
    let stored: StoredAction
    let record: OutboxRecord
    do {
      stored = StoredAction(
        name: A.name, queue: action.queue, account: action.account(in: self), date: now(),
        action: try JSONEncoder().encode(action))
      record = try stored.record(id)
    } catch {
      throw .encoding(error)
    }
    let limit = limits.actions
    // The edits of actions that other processes have added before are beneath this action's.
    readOutbox()
    try outboxState.withLock { state throws(OutboxError) in
      guard state.entries.count < limit else { throw .full }
      try state.save([.append(record)], in: storage)
      state.entries.append(
        OutboxState.Entry(
          item: OutboxItem(id: id, stored, action: action), stored: stored, record: record))
    }
    showActions()
    publishOutbox()
    return id
  }

  /// Sends all waiting actions now, as when a user requests it: reads what other processes have added, ends the waits
  /// before retries and for a sign-in, and checks the unknown actions again.
  public func sendActions() {
    outboxState.withLock { state in
      for index in state.entries.indices {
        state.entries[index].isChecked = false
        if state.entries[index].item.state == .waitingForSignIn {
          state.entries[index].item.state = .waiting(nil)
        }
      }
    }
    endPauses { _ in true }
    readOutbox()
    startSending()
  }

  /// Decides about an action that is unknown or was refused, or removes one that waits.
  ///
  /// - Parameters:
  ///   - outcome: ``ActionOutcome/send`` to send an unknown or refused action again, the latter after all others, ``ActionOutcome/done`` to keep the edits
  ///     of an unknown action, which the server has performed, or ``ActionOutcome/drop`` to remove any action, which
  ///     dismisses a refused one. A request that is being sent is not cancelled.
  ///   - id: The action; if it is not in ``outbox``, nothing happens.
  /// - Throws: ``OutboxError`` if the decision can't be stored; then nothing changes.
  public func decide(_ outcome: ActionOutcome, for id: OutboxItem.ID) throws(OutboxError) {
    readOutbox()
    let storage = actions.storage
    let removed = try outboxState.withLock { state throws(OutboxError) -> OutboxState.Removed in
      guard let index = state.index(id) else { return nil }
      let entry = state.entries[index]
      switch outcome {
      case .send:
        guard entry.isRefused || entry.item.state == .unknown, !entry.isBusy,
          var stored = entry.stored
        else { return nil }
        stored.state = .waiting
        try state.store(stored, at: index, in: storage)
        state.entries[index].item.state = .waiting(nil)
        // Later actions of its queue may have been sent since.
        if entry.isRefused { state.entries.append(state.entries.remove(at: index)) }
        return nil
      case .done where entry.item.state != .unknown: return nil
      case .done, .drop:
        try state.save([.remove(id)], in: storage)
        return state.remove(index)
      }
    }
    show([(removed, outcome == .done)])
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

  /// Shows the edits of actions that are not shown yet, unless they are of another account than the current one.
  func showActions() {
    let hidden = outboxState.withLock { state in
      state.entries.filter { $0.layers == nil && !$0.isRefused }.compactMap { entry in
        entry.item.action.map { (entry.item.id, entry.item.account, $0) }
      }
    }
    guard !hidden.isEmpty else { return }
    let shown = hidden.map { id, account, action in
      (id, action.account(in: self) == account ? action.begin(in: self, account) : nil)
    }
    let unused = outboxState.withLock { state in
      let indices = Dictionary(
        uniqueKeysWithValues: zip(state.entries.lazy.map(\.item.id), state.entries.indices))
      return shown.compactMap { id, layers -> OutboxLayers? in
        guard let index = indices[id], state.entries[index].layers == nil,
          !state.entries[index].isRefused
        else { return layers }
        if let layers {
          state.entries[index].layers = layers
          state.permits[state.entries[index].item.queue, default: []].append(layers.permit)
        } else {
          state.entries[index].item.state = .waitingForSignIn
        }
        return nil
      }
    }
    for layers in unused { layers.drop(self, layers.permit) }
  }

  /// Removes actions, also from the storage, whose account was cleared.
  func removeActions(where isRemoved: @Sendable (OutboxItem) -> Bool) {
    let (storage, types) = (actions.storage, actions.types)
    let ended = outboxState.withLock { state -> [OutboxState.Ended] in
      let ended = state.read(storage, types)
      let ids = state.entries.map(\.item).filter(isRemoved).map(\.id)
      let changes = ids.map { OutboxChange.remove($0) }
      if !changes.isEmpty, (try? state.save(changes, in: storage)) == nil {
        state.unsaved += changes
      }
      return ended + ids.map { (state.index($0).flatMap { state.remove($0) }, false) }
    }
    show(ended)
    startSending()
  }

  /// Removes the edits of all actions, which wait for their accounts.
  func hideActions() {
    let removed = outboxState.withLock { state in
      state.entries.indices.map { index -> OutboxState.Removed in
        let removed = state.takeLayers(state.entries[index])
        state.entries[index].layers = nil
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
