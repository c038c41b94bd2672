import Curlew
import CurlewScreens
import CurlewSupport

extension Store {
  /// Returns whether a transfer did not reach the server.
  static func isDisconnection<Success>(_ result: Result<Success, any Error>) -> Bool {
    guard case .failure(let error as Client.Error) = result else { return false }
    return error.isDisconnection
  }

  /// Retries failed loads after growing delays, until the server responds or no consumer is active.
  func retryLater(_ tables: StoreTables) {
    guard tables.retries == nil else { return }
    let (clock, pauses) = (clock, RetryPauses(limits.pauses))
    tables.retries = WorkExecutor.task(isShared: true) { [weak self] in
      var pauses = pauses
      while true {
        try? await clock.sleep(until: clock.now + pauses.next())
        guard !Task.isCancelled, let self, change({ self.retryNext($0) }) else { return }
      }
    }
  }

  /// Loads the entry that has waited longest since its server was unreachable; returns whether such an
  /// entry has an active consumer.
  ///
  /// The entries take turns, because the server of only some of them may be reachable again.
  private func retryNext(_ tables: StoreTables) -> Bool {
    let failed = tables.entries.values.filter { $0.isDisconnected && $0.activeConsumers > 0 }
    guard !failed.isEmpty else {
      tables.retries = nil
      return false
    }
    let idle = failed.filter { $0.transfer == nil }
    if let entry = idle.min(by: {
      ($0.attemptedAt ?? .zero, $0.id) < ($1.attemptedAt ?? .zero, $1.id)
    }) {
      request(entry, tables, isReload: false, isShown: false)
    }
    return true
  }

  /// Loads all entries whose server was unreachable, because it has responded to a request.
  func serverResponded(_ tables: StoreTables) {
    guard let retries = tables.retries else { return }
    tables.cancel(retries)
    tables.retries = nil
    for entry in tables.entries.values.sorted(by: { $0.id < $1.id })
    where entry.isDisconnected && entry.activeConsumers > 0 {
      request(entry, tables, isReload: false, isShown: false)
    }
  }

  /// Loads an entry at an interval while it has an active consumer.
  func startPolling(_ entry: EntryState, _ interval: Duration?) {
    guard let interval, entry.polling == nil else { return }
    let (id, clock) = (entry.id, clock)
    entry.polling = WorkExecutor.task(isShared: true) { [weak self] in
      while true {
        try? await clock.sleep(until: clock.now + interval)
        guard !Task.isCancelled, let self else { return }
        change { tables in
          if let entry = tables.entries[id], self.clock.now >= entry.freshUntil {
            self.request(entry, tables, isReload: false, isShown: false)
          }
        }
      }
    }
  }
}
