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
    let queues = outboxState.withLock { state -> [String] in
      var (queues, seen): ([String], Set<String>) = ([], [])
      for entry in state.entries where !entry.isRefused {
        guard state.running.count - state.pauses.count < Self.parallelSends else { break }
        guard seen.insert(entry.item.queue).inserted, state.isReady(entry),
          state.running.insert(entry.item.queue).inserted
        else { continue }
        queues.append(entry.item.queue)
      }
      return queues
    }
    publishOutbox()
    for queue in queues { send(queue) }
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
    let first = outboxState.withLock { state -> (OutboxState.Entry, Waiter<Void>)? in
      guard let index = state.first(queue), state.isReady(state.entries[index]),
        let permit = state.permits[queue]?.first
      else {
        state.running.remove(queue)
        return nil
      }
      return (state.entries[index], permit)
    }
    guard let (entry, permit) = first, let action = entry.item.action else {
      startSending()
      return .end
    }
    try? await permit.value()
    guard action.account(in: self) == entry.item.account else {
      change(entry.item.id) { $0.item.state = .waitingForSignIn }
      return .next
    }
    guard acquireLease() else {
      readOutbox()
      return .pause(nil, isOffline: false)
    }
    defer { releaseLease() }
    do {
      switch try beginAttempt(entry.item.id, permit) {
      case nil: return .next
      case .check?: return await check(entry.item.id, action)
      case .expired?:
        refuse(entry.item.id, LoadFailure(message: UserTexts.current.unsentForTooLong))
        return .next
      case .send(let entry, let action, let layers)?: return await send(entry, action, layers)
      }
    } catch {
      change(entry.item.id) { $0.item.state = .waiting(LoadFailure(error)) }
      return .pause(nil, isOffline: false)
    }
  }

  // MARK: The lease

  /// Acquires the lease, unless another queue has it; reads what other processes have changed before any queue continues.
  func acquireLease() -> Bool {
    let (storage, types) = (actions.storage, actions.types)
    let removed = outboxState.withLock { state -> [OutboxState.Ended]? in
      if state.leases == 0 {
        guard (try? storage.acquireLease()) == true else { return nil }
      }
      state.leases += 1
      return state.leases == 1 ? state.read(storage, types) : []
    }
    guard let removed else { return false }
    show(removed)
    startSending()
    return true
  }

  func releaseLease() {
    let storage = actions.storage
    outboxState.withLock { state in
      state.leases -= 1
      if state.leases == 0 { storage.releaseLease() }
    }
  }

  // MARK: Attempts

  private enum Attempt {
    case check
    /// The action is older than its limit.
    case expired
    /// The action as of now, which another process may have changed.
    case send(OutboxState.Entry, any StoreAction, OutboxLayers)
  }

  /// Marks an action as being sent; returns `nil` if it is not the first of its queue any more, or not ready.
  ///
  /// A request that must not be repeated is marked in the storage, too, before it leaves, and the first of an action that
  /// another process has stored.
  private func beginAttempt(
    _ id: UUID, _ permit: Waiter<Void>
  ) throws(OutboxError) -> Attempt? {
    let (storage, now, limit) = (actions.storage, now(), limits.actionAge)
    let attempt = try outboxState.withLock { state throws(OutboxError) -> Attempt? in
      guard let index = state.index(id), state.isReady(state.entries[index]),
        let layers = state.entries[index].layers, let action = state.entries[index].item.action,
        state.first(action.queue) == index, state.permits[action.queue]?.first === permit
      else { return nil }
      state.entries[index].isBusy = true
      // With the lease, no other process waits for the response.
      if state.entries[index].item.stored.state == .sent {
        state.entries[index].item.state = .unknown
        return .check
      }
      var stored = state.entries[index].item.stored
      guard now <= stored.date + limit / .seconds(1) else { return .expired }
      // Other processes know that an action which they have stored may have had an effect.
      if action.repeats == .never || !state.entries[index].isUnsent && stored.requests == 0 {
        if action.repeats == .never { stored.state = .sent }
        stored.requests += 1
        do throws(OutboxError) {
          try state.store(stored, at: index, in: storage)
        } catch {
          state.entries[index].isBusy = false
          throw error
        }
      }
      state.entries[index].item.state = .sending
      return .send(state.entries[index], action, layers)
    }
    publishOutbox()
    return attempt
  }

  private func send(
    _ entry: OutboxState.Entry, _ action: any StoreAction, _ layers: OutboxLayers
  ) async -> Step {
    let (item, isRepeated) = (entry.item, entry.isRepeated)
    let version = item.stored.version
    let key = item.id.uuidString + (version == 0 ? "" : "-\(version)")
    do {
      let (created, settle) = try await layers.send(self, key, isRepeated)
      let removed = remove(item.id, created)
      showActions()
      startSending()
      if let removed { await settle(self, removed.permit) }
      return .next
    } catch {
      let error = error as? Client.Error ?? .cancelled
      if error.status != nil { change { serverResponded($0) } }
      if [409, 412].contains(error.status?.code), let action = action as? any ConditionalAction {
        // The current account would load its own value.
        guard action.account(in: self) == item.account else {
          return await end(item.id, error, .signIn, action.repeats)
        }
        return await rebase(item.id, action)
      }
      let verdict = error.verdict(action.repeats, isRepeated: isRepeated)
      return await end(item.id, error, verdict, action.repeats, isRepeated: isRepeated)
    }
  }

  /// Loads the newer value that a request has met, and bases the action on it, or leaves the decision to its user.
  private func rebase(_ id: UUID, _ action: any ConditionalAction) async -> Step {
    let storage = actions.storage
    do {
      let (theirs, new, outcome) = try await action.rebased(in: self)
      switch outcome {
      case .done:
        show([(remove(id), true)])
        startSending()
        return .next
      case .drop:
        try decide(.drop, for: id)
        return .next
      case .send, nil: break
      }
      let isAgain = try outboxState.withLock { state throws(OutboxError) -> Bool in
        guard let index = state.index(id) else { return false }
        var stored = state.entries[index].item.stored
        stored.state = .conflict(theirs)
        if outcome == .send {
          stored.state = .waiting
          stored.version += 1
          state.entries[index].isRepeated = false
        }
        try state.store(stored, outcome == .send ? new : nil, at: index, in: storage)
        state.entries[index].isBusy = false
        state.entries[index].item.state = outcome == .send ? .waiting(nil) : .conflict
        defer { state.entries[index].isRebased = true }
        return state.entries[index].isRebased
      }
      show([])
      // Otherwise, conflicts would follow each other without a pause.
      return outcome == .send && isAgain ? .pause(nil, isOffline: false) : .next
    } catch let error as OutboxError {
      change(id) { ($0.isBusy, $0.item.state) = (false, .waiting(LoadFailure(error))) }
      return .pause(nil, isOffline: false)
    } catch {
      // The server has refused the request, whatever becomes of the load.
      let error = error as? Client.Error ?? .cancelled
      let verdict = error.verdict(.idempotent, isRepeated: false)
      return await end(id, error, verdict == .done ? .refused : verdict, action.repeats)
    }
  }

  /// Changes the state of an action after a failed request.
  private func end(
    _ id: UUID, _ error: Client.Error, _ verdict: Client.Error.Verdict, _ repeats: ActionRepeats,
    isRepeated: Bool = false
  ) async -> Step {
    switch verdict {
    case .done:
      if let removed = remove(id) { await removed.layers.settle(self, removed.permit) }
      startSending()
      return .next
    case .unknown:
      change(id) { ($0.isBusy, $0.isChecked, $0.item.state) = (false, false, .unknown) }
      return .next
    case .wait, .signIn:
      let isForSignIn = verdict == .signIn
      change(id, storing: repeats == .never ? .waiting : nil) { entry in
        entry.isBusy = false
        entry.isRepeated = entry.isRepeated || error.hasLostResponse
        entry.isUnsent = entry.isUnsent && !error.hasLostResponse && error.status == nil
        entry.item.state =
          isForSignIn
          ? .waitingForSignIn
          : error.isDisconnection ? .waitingForNetwork : .waiting(LoadFailure(error))
      }
      return isForSignIn
        ? .next : .pause(error.retryAfter(now: now()), isOffline: error.isDisconnection)
    case .refused:
      let layers = refuse(id, LoadFailure(error))
      if let layers, isRepeated || error.hasUnknownOutcome { await invalidate(layers.stale) }
      return .next
    }
  }

  /// Keeps an action without its edits, to be shown to its user; returns the edits.
  @discardableResult
  private func refuse(_ id: UUID, _ failure: LoadFailure) -> OutboxLayers? {
    let removed = outboxState.withLock { state in
      state.index(id).flatMap { state.takeLayers(state.entries[$0]) }
    }
    change(id, storing: .refused(failure.message)) { entry in
      (entry.isBusy, entry.layers, entry.former) = (false, nil, nil)
      entry.item.state = .refused(failure)
    }
    if let removed { removed.layers.drop(self, removed.permit) }
    return removed?.layers
  }

  /// Asks an unknown action whether its request had an effect; without an outcome, its user decides.
  private func check(_ id: UUID, _ action: any StoreAction) async -> Step {
    do {
      let outcome = try await action.check(in: self)
      change(id) { ($0.isBusy, $0.isChecked) = (false, true) }
      if let outcome { try decide(outcome, for: id) }
      // Otherwise, requests whose responses are lost would follow each other without a pause.
      return outcome == .send ? .pause(nil, isOffline: false) : .next
    } catch {
      change(id) { ($0.isBusy, $0.isChecked) = (false, false) }
      let isOffline = (error as? Client.Error)?.isDisconnection == true
      return .pause((error as? any RetryAfterError)?.retryAfter, isOffline: isOffline)
    }
  }

  /// Removes an action that the server has performed.
  private func remove(_ id: UUID, _ created: [CreatedID] = []) -> OutboxState.Removed {
    let storage = actions.storage
    return outboxState.withLock { state in
      state.index(id).flatMap { state.finish($0, created, in: storage) }
    }
  }

  /// Changes an action, and stores its new state, if possible.
  private func change(
    _ id: UUID, storing stored: StoredAction.State? = nil,
    _ body: (inout OutboxState.Entry) -> Void
  ) {
    let storage = actions.storage
    outboxState.withLock { state in
      guard let index = state.index(id) else { return }
      body(&state.entries[index])
      if let stored {
        var new = state.entries[index].item.stored
        new.state = stored
        try? state.store(new, at: index, in: storage)
      }
    }
    publishOutbox()
  }
}

extension Client.Error {
  fileprivate enum Verdict {
    case done, refused, signIn, unknown, wait
  }

  /// Returns how an action goes on after a failed request.
  ///
  /// Only a status ends an action for good: other failures may be of the network, such as one that requires a sign-in.
  ///
  /// - Parameter isRepeated: Whether an earlier request may have reached the server.
  fileprivate func verdict(_ repeats: ActionRepeats, isRepeated: Bool) -> Verdict {
    switch self {
    case .status(let failure):
      let code = failure.response.status.code
      if code == 401 { return .signIn }
      // The server may still process an earlier request with the same key.
      if code == 409, repeats == .byKey, isRepeated { return .wait }
      guard isRetryable else { return .refused }
      // A gateway may have lost the server's response.
      return repeats == .never && code >= 500 ? .unknown : .wait
    // The status was accepted, so the server has performed the action.
    case .decoding, .tooLarge: return .done
    case .redirect: return repeats == .never ? .unknown : .refused
    case .encoding, .file, .invalidRequest: return .refused
    default: return repeats == .never && hasLostResponse ? .unknown : .wait
    }
  }
}
