import Curlew
import CurlewScreens
import CurlewSupport
import Foundation

extension Store {
  // MARK: Consumers

  /// Adds a consumer to an entry, and loads the entry if it has no fresh value.
  func addConsumer<Value>(
    _ key: RequestKey, _ make: StoreEntry<Value>, isActive: Bool, for reason: LoadReason
  ) -> (id: Int, signal: ChangeSignal) {
    change { tables in
      let entry = tables.entry(key, make)
      entry.consumers += 1
      tables.unused.remove(entry.id)
      if isActive { entry.activeConsumers += 1 }
      entry.lastUse = tables.nextID()
      let isWanted =
        switch reason {
        case .missing: !entry.hasValue && isLoadNeeded(entry)
        case .outdated: entry.transfer != nil || isLoadNeeded(entry)
        case .retry: entry.transfer != nil || entry.failure != nil || isLoadNeeded(entry)
        case .reload: true
        }
      if isWanted { request(entry, tables, isReload: reason == .reload, isShown: true) }
      if isActive { startPolling(entry, make.pollingInterval) }
      sweep(tables)
      return (entry.id, entry.signal)
    }
  }

  /// The reason why a new consumer may load the entry.
  enum LoadReason {
    /// The consumer shows a value of any age: loads the entry only if it has no value.
    case missing
    /// The consumer shows a fresh value: loads the entry unless its value is fresh.
    case outdated
    /// A user opens the entry, or retries: loads the entry after a failure, and unless its value is
    /// fresh.
    case retry
    /// A user refreshes the entry: loads it from the server.
    case reload
  }

  /// Removes a consumer; without consumers, cancels the transfer, unless it is a prefetch.
  func removeConsumer(_ id: Int, isActive: Bool) {
    change { tables in
      guard let entry = tables.entries[id] else { return }
      entry.consumers -= 1
      if isActive { entry.activeConsumers -= 1 }
      if entry.activeConsumers == 0 {
        tables.cancel(entry.polling)
        entry.polling = nil
      }
      guard entry.consumers == 0 else { return }
      entry.unusedSince = clock.now
      tables.addUnused(entry, limits)
      if let transfer = entry.transfer, !transfer.isPrefetch {
        tables.cancel(transfer.task)
        entry.transfer = nil
        entry.isReloadWanted = false
        tables.touch(entry)
      }
    }
  }

  /// Returns an entry's current value, unless its version was seen already, and the version of the
  /// entry's signal.
  func present<Value>(_ id: Int, _: Value.Type, seen: inout UInt64) -> (Loadable<Value>?, UInt64)?
  where Value: Equatable & Sendable {
    let last = seen
    let result = change { tables -> (Loadable<Value>?, UInt64, UInt64)? in
      guard let entry = tables.entries[id] as? EntryStateOf<Value> else { return nil }
      let value = entry.present(tables)
      return (entry.version == last ? nil : value, entry.version, entry.signal.version)
    }
    guard let (value, version, signal) = result else { return nil }
    seen = version
    return (value, signal)
  }

  // MARK: Transfers

  /// Returns whether an entry is neither fresh nor just loaded, and has no running transfer.
  func isLoadNeeded(_ entry: EntryState) -> Bool {
    guard entry.transfer == nil else { return false }
    if entry.isStale { return true }
    let now = clock.now
    if let attemptedAt = entry.attemptedAt, now - attemptedAt < limits.minimumInterval {
      return false
    }
    return !entry.hasValue || entry.failure != nil || now >= entry.freshUntil
  }

  /// Loads an entry; a reload requested during a transfer without a reload follows the transfer.
  func request(_ entry: EntryState, _ tables: StoreTables, isReload: Bool, isShown: Bool) {
    guard let transfer = entry.transfer else {
      return entry.load(in: self, tables, isReload: isReload, isShown: isShown)
    }
    if isReload, !transfer.isReload { entry.isReloadWanted = true }
    if isShown, !transfer.isShown {
      entry.transfer?.isShown = true
      tables.touch(entry)
    }
  }

  func startTransfer<Value>(
    of entry: EntryStateOf<Value>, _ tables: StoreTables, isReload: Bool, isShown: Bool
  ) {
    let (id, number) = (tables.nextID(), tables.nextNumber(now()))
    let (entryID, make, hasValue) = (entry.id, entry.entry, entry.hasValue)
    let task = WorkExecutor.task { [self] in
      await Reload.$isRequested.withValue(isReload) {
        if !hasValue, !isReload,
          let stored = try? await make.load(client, true, nil), let value = stored.value,
          finish(entryID, id, .success((value, stored.response)), isStored: true)
        {
          return
        }
        do {
          let loaded = try await make.load(client, false, bodyID(of: entryID, Value.self))
          finish(entryID, id, loaded.map { .success($0) } ?? .failure(CancellationError()))
        } catch {
          finish(entryID, id, Result<StoreEntry<Value>.Load, any Error>.failure(error))
        }
      }
    }
    entry.transfer = EntryState.Transfer(
      id: id, number: number, isReload: isReload, isPrefetch: entry.consumers == 0,
      isShown: isShown, task: task)
    entry.isReloadWanted = false
    tables.note(entry)
    tables.touch(entry)
  }

  /// Returns the identity of the body of an entry's current value.
  private func bodyID<Value: Equatable & Sendable>(of entryID: Int, _: Value.Type) -> UUID? {
    change { ($0.entries[entryID] as? EntryStateOf<Value>)?.bodyID }
  }

  /// Applies the result of a transfer; returns whether the transfer has ended.
  ///
  /// - Parameter isStored: Whether the result comes from the cache, and may not be fresh.
  @discardableResult
  private func finish<Value: Equatable & Sendable>(
    _ entryID: Int, _ transferID: Int, _ result: Result<StoreEntry<Value>.Load, any Error>,
    isStored: Bool = false
  ) -> Bool {
    let (now, date, isDisconnection) = (clock.now, self.now(), Self.isDisconnection(result))
    return change { tables in
      guard let entry = tables.entries[entryID] as? EntryStateOf<Value>,
        let transfer = entry.transfer, transfer.id == transferID
      else { return true }
      switch result {
      case .success(let (value, response)):
        let number = tables.number(of: response, in: transfer.number, now: date)
        entry.receive(value, response, number: number, now: now, tables)
        if isStored, now >= entry.freshUntil || transfer.number < entry.staleSince { return false }
        entry.failure = nil
        // A cached response does not show that the server is reachable.
        if !response.isFromCache { serverResponded(tables) }
      case .failure(let error):
        entry.failure = error is CancellationError ? nil : LoadFailure(error)
        if isDisconnection { retryLater(tables) } else { serverResponded(tables) }
      }
      (entry.isDisconnected, entry.lastTransfer) = (isDisconnection, transfer.number)
      entry.transfer = nil
      entry.attemptedAt = now
      tables.touch(entry)
      let isSuperseded = entry.failure == nil && entry.isStale
      if entry.consumers > 0, entry.isReloadWanted || isSuperseded && entry.activeConsumers > 0 {
        entry.load(in: self, tables, isReload: entry.isReloadWanted, isShown: transfer.isShown)
      } else if entry.consumers == 0 {
        entry.unusedSince = now
        tables.addUnused(entry, limits)
      }
      return true
    }
  }

  // MARK: Dropping

  /// Removes entries without consumers: after a time limit, and above a size limit.
  func sweep(_ tables: StoreTables) {
    let now = clock.now
    guard tables.isSweepDue(at: now, limits) else { return }
    var unused: [EntryState] = []
    var size = 0
    for entry in tables.unused.compactMap({ tables.entries[$0] }) where entry.transfer == nil {
      if now - entry.unusedSince >= limits.unusedTime {
        tables.remove(entry)
      } else {
        unused.append(entry)
        size += entry.cost
      }
    }
    tables.unusedSize = size
    tables.sweepDue = unused.map(\.unusedSince).min().map { $0 + limits.unusedTime } ?? .zero
    guard size > limits.unusedSize else { return }
    for entry in unused.sorted(by: { $0.lastUse < $1.lastUse }) where size > limits.unusedSize {
      size -= entry.cost
      tables.remove(entry)
    }
    tables.unusedSize = size
  }
}
