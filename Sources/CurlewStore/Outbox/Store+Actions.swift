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
    // The edits of actions that other processes have added before are beneath this action's.
    readOutbox()
    let (account, now, limits) = (action.account(in: self), now(), limits)
    let known = outboxState.withLock { state in
      precondition(
        state.outbox.types[A.name] == A.self,
        "Pass \(A.self).self to the store's outbox, so that it can be decoded.")
      return state.created.filter { $0.account == account }
    }
    let ids = CreatedIDs(known: known) { [self] isSame in
      outboxState.withLock { $0.creator(account, isSame) }
    }
    var action = action
    action.resolve(ids)
    if let former {
      try replace(former, by: action)
      return former
    }
    let after = ids.actions + (earlier.map { [$0] } ?? [])
    if let id = try collapse(action, after) { return id }
    let stored = StoredAction(
      name: A.name, queue: action.queue, account: account, date: now, after: after)
    let entry = try OutboxEntry(action, stored)
    try changeOutbox { state throws(OutboxError) in try state.append(entry, limits) }
    return entry.item.id
  }

  /// Replaces an action that no process sends.
  private func replace(_ id: OutboxItem.ID, by action: some StoreAction) throws(OutboxError) {
    guard acquireLease() else { throw .started }
    defer { releaseLease() }
    let now = now()
    try changeOutbox { state throws(OutboxError) in
      guard let entry = state[id], entry.isReplaceable else { throw .started }
      try state.resend(entry, action, at: now)
    }
  }

  /// Combines a new action with the last of its queue, if no process sends that; returns the id of the last action.
  private func collapse<A: StoreAction>(
    _ action: A, _ after: [OutboxItem.ID]
  ) throws(OutboxError) -> OutboxItem.ID? {
    let last = outboxState.withLock { $0.last(action.queue) }
    guard let last, let earlier = last.item.action as? A else { return nil }
    let combined = action.collapse(with: earlier)
    guard combined.count < 2, last.item.account == action.account(in: self),
      last.item.state != .conflict, Set(after).isSubset(of: last.item.stored.after), acquireLease()
    else { return nil }
    defer { releaseLease() }
    let now = now()
    return try changeOutbox { state throws(OutboxError) -> UUID? in
      guard let entry = state[last.id], entry.record == last.record, entry.isReplaceable,
        state.chain(last.id).count == 1
      else { return nil }
      let isUnsent = entry.isUnsent && !entry.item.stored.isSent
      guard isUnsent || action.repeats == .idempotent else { return nil }
      // The server may have performed the earlier action.
      if let new = combined.first ?? (isUnsent ? nil : action) {
        try state.resend(entry, new, at: now)
      } else {
        try state.remove([entry.id], .drop)
      }
      return entry.id
    }
  }

  /// Sends all waiting actions now, as when a user requests it: reads what other processes have added, ends the waits
  /// before retries and for a sign-in, and checks the unknown actions again.
  public func sendActions() {
    changeOutbox { state in
      state.retry()
      state.read()
    }
    endPauses { _ in true }
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
    let now = now()
    try changeOutbox { state throws(OutboxError) in
      state.read()
      guard let entry = state[id] else { return }
      switch outcome {
      case .send where entry.isRefused || [.unknown, .conflict].contains(entry.item.state):
        if !entry.isBusy { try state.resend(entry, at: now) }
      case .done where entry.item.state == .unknown: try state.remove([id], .done)
      case .drop: try state.remove(state.chain(id), .drop)
      case .send, .done: break
      }
    }
    startSending()
  }

  // MARK: Changes

  /// Changes the outbox under its lock, then shows the result.
  @discardableResult
  func changeOutbox<Result: Sendable, Failure: Error>(
    _ body: (inout OutboxState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { showActions() }
    return try outboxState.withLock { state throws(Failure) in try body(&state) }
  }

  /// Reads what other processes have changed, and shows it.
  func readOutbox() { changeOutbox { $0.read() } }

  /// Shows the edits of new and replaced actions, ends those of actions that have left, and publishes the actions.
  private func showActions() {
    let hidden = outboxState.withLock { $0.hidden }
    if !hidden.isEmpty { show(hidden) }
    endEdits()
  }

  /// Shows the edits of actions, unless they are of another account than the current one.
  private func show(_ hidden: [OutboxEntry]) {
    let edits = hidden.map { entry -> EditedData? in
      let action = entry.item.action
      return action?.account(in: self) == entry.item.account ? action?.edits(in: self) : nil
    }
    let ((), resumptions) = outboxState.withLock { state in
      access { tables in
        for (entry, data) in zip(hidden, edits) { state.show(entry, data, in: tables) }
      }
    }
    for resume in resumptions { resume() }
  }

  /// Ends the edits of actions that have left, and publishes the actions.
  private func endEdits() {
    for ended in outboxState.withLock({ $0.takeEnded() }) {
      if ended.outcome != .done { ended.edits.drop(in: self, ended.permit) }
      guard ended.outcome != .send else { continue }
      _ = WorkExecutor.task(isShared: true) { [self] in
        if ended.outcome == .done {
          await ended.edits.settle(with: ended.response, in: self, ended.permit)
        } else {
          await invalidate(ended.edits.data.stale)
        }
      }
    }
    guard outboxState.withLock({ $0.takeChanged() }) else { return }
    outbox.update { [weak self] items in
      if let self { items = outboxState.withLock { $0.all.map(\.item) } }
    }
  }

  // MARK: Accounts

  /// Removes actions, also from the storage, whose account was cleared.
  func removeActions(where isRemoved: @Sendable (_ account: String?) -> Bool) {
    changeOutbox { state in
      state.read()
      state.remove(where: isRemoved)
    }
    startSending()
  }

  /// Removes the edits of all actions, which wait for their accounts.
  func hideActions() {
    outboxState.withLock { $0.hide() }
    endEdits()
  }
}
