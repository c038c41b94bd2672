import Curlew
import CurlewScreens
import CurlewSupport
import Foundation
import Synchronization

/// Each queue with actions to send has a task, which sends the first action until the queue is empty, or waits for its
/// user. The lease is held while a request is sent, so that no other process sends one, and what other processes have
/// changed is read when it is acquired.
extension Store {
  /// The maximum number of requests of actions at a time.
  private static var parallelSends: Int { 8 }

  private enum Step {
    case next
    /// Waits before the next attempt, at least for a time.
    case pause(Duration?, isOffline: Bool)
    case end
  }

  /// Starts a task for each queue whose first action is ready to be sent.
  func startSending() {
    for queue in outboxState.withLock({ $0.start(Self.parallelSends) }) { send(queue) }
  }

  /// Ends waits before the next attempts.
  func endPauses(where isEnded: (OutboxState.Pause) -> Bool) {
    let ended = outboxState.withLock { $0.pauses.values.filter(isEnded) }
    for pause in ended { pause.waiter.resume(with: .success(())) }
  }

  private func send(_ queue: String) {
    let (clock, monitor) = (clock, client.configuration.networkMonitor)
    let range = limits.pauses
    _ = WorkExecutor.task(isShared: true) { [weak self] in
      var pauses = RetryPauses(range)
      while let step = await self?.step(queue) {
        switch step {
        case .next: pauses.reset()
        case .end: return
        case .pause(let least, let isOffline):
          let waiter = Waiter<Void>()
          self?.beginPause(queue, OutboxState.Pause(waiter: waiter, isOffline: isOffline))
          let end = clock.now + max(pauses.next(), least ?? .zero)
          let timer = WorkExecutor.task(isShared: true) {
            try? await clock.sleep(until: end)
            if isOffline, !Task.isCancelled { try? await monitor?.waitForNetwork() }
            waiter.resume(with: .success(()))
          }
          // The store may be released meanwhile.
          try? await waiter.value()
          timer.cancel()
          _ = self?.outboxState.withLock { $0.pauses.removeValue(forKey: queue) }
        }
      }
    }
  }

  private func beginPause(_ queue: String, _ pause: OutboxState.Pause) {
    outboxState.withLock { $0.pauses[queue] = pause }
    startSending()
  }

  /// Sends the first action of a queue, or checks its effect.
  private func step(_ queue: String) async -> Step {
    guard let (item, permit) = outboxState.withLock({ $0.next(queue) }) else {
      startSending()
      return .end
    }
    try? await permit.value()
    guard let action = item.action, action.account(in: self) == item.account else {
      update(item.id) { $0.item.state = .waitingForSignIn }
      return .next
    }
    guard acquireLease() else {
      readOutbox()
      return .pause(nil, isOffline: false)
    }
    defer { releaseLease() }
    let (now, maximumAge) = (now(), limits.actionAge)
    do throws(OutboxError) {
      let attempt = try changeOutbox { state throws(OutboxError) in
        try state.beginAttempt(item.id, permit, at: now, maximumAge)
      }
      // Another process may have changed the action.
      guard let attempt, let action = attempt.item.action, let edits = attempt.edits else {
        return .next
      }
      return attempt.item.state == .unknown
        ? await check(item.id, action) : try await send(attempt, action, edits)
    } catch {
      update(item.id) { ($0.isBusy, $0.item.state) = (false, .waiting(LoadFailure(error))) }
      return .pause(nil, isOffline: false)
    }
  }

  // MARK: The lease

  /// Acquires the lease, unless another process has it, and reads and shows what other processes have changed.
  func acquireLease() -> Bool {
    guard changeOutbox({ $0.acquireLease() }) else { return false }
    startSending()
    return true
  }

  func releaseLease() { outboxState.withLock { $0.releaseLease() } }

  // MARK: Attempts

  private func send(
    _ entry: OutboxEntry, _ action: any StoreAction, _ edits: PendingEdits
  ) async throws(OutboxError) -> Step {
    let (item, now) = (entry.item, now())
    do throws(Client.Error) {
      let isSent = change { $0.sendWrite(edits.write, at: now, isRepeated: entry.isRepeated) }
      // The account may have been cleared.
      guard isSent else { throw .cancelled }
      let response = try await action.send(by: client, entry.key)
      let created = edits.data.createdIDs(in: response)
      changeOutbox { $0.finish(item.id, created, response: response) }
      startSending()
      return .next
    } catch {
      if error.status != nil { change { serverResponded($0) } }
      guard [409, 412].contains(error.status?.code), let action = action.conditional else {
        let state = error.state(action.repeats, isRepeated: entry.isRepeated)
        return await end(entry, error, state, isRepeated: entry.isRepeated)
      }
      // The current account would load its own value.
      guard action.account(in: self) == item.account else {
        return await end(entry, error, .waitingForSignIn)
      }
      return try await rebase(entry, action)
    }
  }

  /// Loads the newer value that a request has met, and bases the action on it, or leaves the decision to its user.
  private func rebase(
    _ entry: OutboxEntry, _ action: any ConditionalAction
  ) async throws(OutboxError) -> Step {
    let id = entry.item.id
    let theirs: Data, new: any StoreAction, outcome: ActionOutcome?
    do {
      (theirs, new, outcome) = try await action.rebased(in: self)
    } catch {
      // The server has refused the request, whatever becomes of the load.
      let error = error as? Client.Error ?? .cancelled
      let state = error.state(.idempotent, isRepeated: false) ?? .refused(LoadFailure(error))
      return await end(entry, error, state)
    }
    let isAgain = try changeOutbox { state throws(OutboxError) -> Bool in
      guard let old = state[id] else { return false }
      if outcome == .done { state.finish(id) }
      if outcome == .drop { try state.remove(state.chain(id), .drop) }
      guard outcome == .send || outcome == nil else { return false }
      var stored = old.item.stored
      stored.state = outcome == nil ? .conflict(theirs) : .waiting
      if outcome == .send { stored.version += 1 }
      try state.store(id, stored, outcome == .send ? new : nil)
      state.update(id) { entry in
        (entry.isBusy, entry.isRepeated, entry.isRebased) = (false, false, true)
        entry.item.state = stored.state.shown
      }
      return outcome == .send && old.isRebased
    }
    startSending()
    // Otherwise, conflicts would follow each other without a pause.
    return isAgain ? .pause(nil, isOffline: false) : .next
  }

  /// Ends a failed attempt with a state of the action, `nil` if the server has performed it.
  private func end(
    _ entry: OutboxEntry, _ error: Client.Error, _ state: OutboxItem.State?,
    isRepeated: Bool = false
  ) async -> Step {
    let id = entry.item.id
    switch state {
    case nil:
      changeOutbox { $0.finish(id) }
      startSending()
      return .next
    case .refused(let failure)?:
      changeOutbox { $0.refuse(id, failure) }
      if isRepeated || error.hasUnknownOutcome, let edits = entry.edits {
        await invalidate(edits.data.stale)
      }
      return .next
    case let state?:
      let isStored = entry.item.action?.repeats == .never && state != .unknown
      update(id, storing: isStored ? .waiting : nil) { entry in
        (entry.isBusy, entry.isChecked, entry.item.state) = (false, false, state)
        entry.isRepeated = entry.isRepeated || error.hasLostResponse
        entry.isUnsent = entry.isUnsent && !error.hasLostResponse && error.status == nil
      }
      guard state != .unknown, state != .waitingForSignIn else { return .next }
      return .pause(error.retryAfter(now: now()), isOffline: state == .waitingForNetwork)
    }
  }

  /// Asks an unknown action whether its request had an effect; without an outcome, its user decides.
  private func check(_ id: UUID, _ action: any StoreAction) async -> Step {
    do {
      let outcome = try await action.check(in: self)
      update(id) { ($0.isBusy, $0.isChecked) = (false, true) }
      if let outcome { try decide(outcome, for: id) }
      // Otherwise, requests whose responses are lost would follow each other without a pause.
      return outcome == .send ? .pause(nil, isOffline: false) : .next
    } catch {
      update(id) { ($0.isBusy, $0.isChecked) = (false, false) }
      let isOffline = (error as? Client.Error)?.isDisconnection == true
      return .pause((error as? any RetryAfterError)?.retryAfter, isOffline: isOffline)
    }
  }

  private func update(
    _ id: UUID, storing state: StoredAction.State? = nil, _ body: (inout OutboxEntry) -> Void
  ) { changeOutbox { $0.update(id, storing: state, body) } }
}

extension Client.Error {
  /// Returns the state of an action after a failed request; `nil` if the server has performed it.
  ///
  /// Only a status ends an action for good: other failures may be of the network, such as one that requires a sign-in.
  ///
  /// - Parameter isRepeated: Whether an earlier request may have reached the server.
  fileprivate func state(_ repeats: ActionRepeats, isRepeated: Bool) -> OutboxItem.State? {
    let failure = LoadFailure(self)
    let waiting: OutboxItem.State = isDisconnection ? .waitingForNetwork : .waiting(failure)
    switch self {
    case .status(let response):
      let code = response.response.status.code
      if code == 401 { return .waitingForSignIn }
      // The server may still process an earlier request with the same key.
      if code == 409, repeats == .byKey, isRepeated { return waiting }
      guard isRetryable else { return .refused(failure) }
      // A gateway may have lost the server's response.
      return repeats == .never && code >= 500 ? .unknown : waiting
    // The status was accepted, so the server has performed the action.
    case .decoding, .tooLarge: return nil
    case .redirect: return repeats == .never ? .unknown : .refused(failure)
    case .encoding, .file, .invalidRequest: return .refused(failure)
    default: return repeats == .never && hasLostResponse ? .unknown : waiting
    }
  }
}
