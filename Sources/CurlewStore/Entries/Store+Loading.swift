import Curlew
import CurlewScreens

extension Store {
  // MARK: Consumers

  /// Adds a consumer to an entry, and loads the entry if necessary; returns the ids of both.
  func addConsumer<Value>(
    _ signal: ChangeSignal, _ values: StoreValues<Value>
  ) throws(Client.Error) -> (entry: Int, consumer: Int) {
    let key = try key(of: values.entry)
    return change { tables in
      let (entry, id) = (tables.use(key, values.entry), tables.nextID())
      entry.consumers[id] = (signal, values.isActive)
      let isWanted =
        switch values.reason {
        case .missing: !entry.hasValue && isLoadNeeded(entry)
        case .outdated: entry.transfer != nil || isLoadNeeded(entry)
        case .retry: entry.transfer != nil || entry.failure != nil || isLoadNeeded(entry)
        case .reload: true
        }
      if isWanted { request(entry, tables, isReload: values.reason == .reload, isShown: true) }
      if values.isActive { startPolling(entry, values.entry.pollingInterval) }
      tables.sweep(at: clock.now, limits)
      return (entry.id, id)
    }
  }

  /// The reason why a new consumer may load the entry.
  enum LoadReason {
    /// The entry has no value.
    case missing
    /// The entry has no fresh value.
    case outdated
    /// The entry has failed, or has no fresh value: a user opens it, or retries.
    case retry
    /// A user refreshes the entry, from the server.
    case reload
  }

  /// Removes a consumer; without consumers, cancels the transfer, unless it is a prefetch.
  func removeConsumer(_ id: (entry: Int, consumer: Int)) {
    change { tables in
      guard let entry = tables.entries[id.entry] else { return }
      entry.consumers[id.consumer] = nil
      if !entry.isActive { tables.cancel(entry.polling.take()) }
      guard entry.consumers.isEmpty else { return }
      if let transfer = entry.transfer, !transfer.isPrefetch {
        tables.cancel(transfer.task)
        entry.transfer = nil
        tables.touch(entry)
      }
      tables.markUnused(entry, at: clock.now)
    }
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
    if isReload, !transfer.isReload { entry.transfer?.isReloadWanted = true }
    if isShown, !transfer.isShown {
      entry.transfer?.isShown = true
      tables.touch(entry)
    }
  }

  /// Applies the result of a transfer; returns whether the transfer has ended.
  ///
  /// - Parameter isStored: Whether the result comes from the cache, and may not be fresh.
  @discardableResult
  func finish<Value: Equatable & Sendable>(
    _ id: Int, _ number: UInt64, _ result: Result<StoreEntry<Value>.Load, any Error>,
    isStored: Bool = false
  ) -> Bool {
    let (now, date) = (clock.now, self.now())
    return change { tables in
      guard let entry = tables.entries[id] as? EntryStateOf<Value>,
        let transfer = entry.transfer, transfer.number == number
      else { return true }
      switch result {
      case .success(let (value, response)):
        let sentAt = tables.number(of: response, in: number, now: date)
        entry.receive(value, response, number: sentAt, now: now, tables)
        if isStored, now >= entry.freshUntil || number < entry.staleSince { return false }
        entry.failure = nil
        // A cached response does not show that the server is reachable.
        if !response.isFromCache { serverResponded(tables) }
      case .failure(let error):
        entry.failure = error is CancellationError ? nil : LoadFailure(error)
        if (error as? Client.Error)?.isDisconnection == true {
          retryFailedLoads(tables)
        } else {
          serverResponded(tables)
        }
      }
      (entry.lastTransfer, entry.attemptedAt, entry.transfer) = (number, now, nil)
      tables.touch(entry)
      if entry.consumers.isEmpty {
        tables.markUnused(entry, at: now)
      } else if transfer.isReloadWanted || entry.failure == nil && entry.isStale && entry.isActive {
        entry.load(in: self, tables, isReload: transfer.isReloadWanted, isShown: transfer.isShown)
      }
      return true
    }
  }

  // MARK: Timers

  /// Retries failed loads after growing delays, until the server responds or no consumer is active.
  private func retryFailedLoads(_ tables: StoreTables) {
    guard tables.retries == nil else { return }
    tables.retries = timer(limits.pauses) { store, tables in
      // The entries take turns, because the server of only some of them may be reachable again.
      let failed = tables.entries.values.filter(\.isRetried)
      if failed.isEmpty { tables.cancel(tables.retries.take()) }
      let next = failed.filter { $0.transfer == nil }.min {
        ($0.attemptedAt ?? .zero, $0.id) < ($1.attemptedAt ?? .zero, $1.id)
      }
      if let next { store.request(next, tables, isReload: false, isShown: false) }
    }
  }

  /// Loads all entries and sends all actions whose server was unreachable, because it has responded to a request.
  func serverResponded(_ tables: StoreTables) {
    tables.resumptions.append { [weak self] in self?.endPauses { $0.isOffline } }
    guard let retries = tables.retries.take() else { return }
    tables.cancel(retries)
    for entry in tables.entries.values.sorted(by: { $0.id < $1.id }) where entry.isRetried {
      request(entry, tables, isReload: false, isShown: false)
    }
  }

  private func startPolling(_ entry: EntryState, _ interval: Duration?) {
    guard let interval, entry.polling == nil else { return }
    let id = entry.id
    entry.polling = timer(interval...interval) { store, tables in
      guard let entry = tables.entries[id], store.clock.now >= entry.freshUntil else { return }
      store.request(entry, tables, isReload: false, isShown: false)
    }
  }

  /// Calls a closure after each pause, until the task is cancelled.
  private func timer(
    _ pauses: ClosedRange<Duration>, _ body: @escaping @Sendable (Store, StoreTables) -> Void
  ) -> Task<Void, Never> {
    let clock = clock
    return WorkExecutor.task(isShared: true) { [weak self] in
      var pauses = RetryPauses(pauses)
      while true {
        try? await clock.sleep(until: clock.now + pauses.next())
        guard !Task.isCancelled, let self else { return }
        change { body(self, $0) }
      }
    }
  }
}
