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
  /// - Parameters:
  ///   - action: The action, whose type is one of the store's `outbox`.
  ///   - former: An action to replace, with its id and its position: one that waits, was refused, or is in conflict with a
  ///     newer value, on which the new action is based.
  /// - Returns: The id of the action's ``OutboxItem``.
  /// - Throws: ``OutboxError`` if the action can't be stored, or its former may have been sent; then nothing changes.
  @discardableResult
  public func perform<A: StoreAction>(
    _ action: A, replacing former: OutboxItem.ID? = nil
  ) throws(OutboxError) -> OutboxItem.ID {
    let id = try add(action, replacing: former)
    startSending()
    return id
  }

  /// Stores an action, and shows its edits.
  func add<A: StoreAction>(
    _ action: A, replacing former: OutboxItem.ID? = nil
  ) throws(OutboxError) -> OutboxItem.ID {
    precondition(
      actions.types[A.name] == A.self,
      "Pass \(A.self).self to the store's outbox, so that it can be decoded.")
    if let former {
      try replace(former, by: action)
      return former
    }
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
      let item = OutboxItem(id: id, action: action, state: .waiting(nil), stored: stored)
      state.entries.append(OutboxState.Entry(item: item, record: record))
    }
    showActions()
    publishOutbox()
    return id
  }

  /// Replaces an action that no process sends.
  private func replace(
    _ id: OutboxItem.ID, by action: some StoreAction
  ) throws(OutboxError) {
    guard acquireLease() else { throw .started }
    defer { releaseLease() }
    let storage = actions.storage
    try outboxState.withLock { state throws(OutboxError) in
      guard let index = state.index(id), !state.entries[index].isBusy else { throw .started }
      switch state.entries[index].item.state {
      case .waiting, .waitingForNetwork, .waitingForSignIn, .conflict, .refused: break
      case .sending, .unknown, .unreadable: throw .started
      }
      try state.resend(index, action, in: storage)
    }
    show([])
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
  ///     which the server has performed. ``ActionOutcome/drop`` to remove any action, which takes the server's value in a
  ///     conflict, and dismisses a refusal; a request that is being sent is not cancelled.
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
        guard [.unknown, .conflict].contains(entry.item.state) || entry.isRefused, !entry.isBusy
        else { return nil }
        try state.resend(index, in: storage)
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

  /// Shows the edits of actions that are not shown yet, or were replaced, unless they are of another account than the
  /// current one.
  func showActions() {
    let hidden = outboxState.withLock { $0.takeHidden() }
    guard !hidden.isEmpty else { return }
    let shown = hidden.map { hidden -> OutboxState.Shown in
      let (item, action, former) = hidden
      guard action.account(in: self) == item.account else { return (item.id, nil, nil, former) }
      if case .refused = item.state { return (item.id, nil, action.entities(in: self), nil) }
      let layers = action.begin(in: self, item.account, replacing: former)
      return (item.id, layers, layers.entities, former)
    }
    let left = outboxState.withLock { state in
      let indices = Dictionary(
        uniqueKeysWithValues: zip(state.entries.lazy.map(\.item.id), state.entries.indices))
      return shown.compactMap { state.install($0, at: indices[$0.id]) }
    }
    for (layers, permit) in left { layers.drop(self, permit) }
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
