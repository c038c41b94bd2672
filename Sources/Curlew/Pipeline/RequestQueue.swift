import Synchronization

/// Limits the number of concurrent requests to a host; the others wait in order, interactive ones
/// before prefetches.
package final class RequestQueue: Sendable {
  private struct Host {
    var running = 0
    /// The number of running requests that have a connection.
    var connected = 0
    /// Whether all requests share one connection (HTTP/2).
    var isMultiplexed = false
    var interactive: [Waiter<Void>] = []
    var prefetch: [Waiter<Void>] = []

    /// Whether there is a shared connection, to which the limit does not apply.
    var sharesConnection: Bool { isMultiplexed && connected > 0 }

    /// Lets all waiting requests run if they can share a connection; returns them, for the caller to
    /// resume without a lock.
    mutating func admitAll() -> [Waiter<Void>.Ended] {
      var admitted: [Waiter<Void>.Ended] = []
      while sharesConnection, let next = admitNext() {
        running += 1
        admitted.append(next)
      }
      return admitted
    }

    /// Gives a slot to the next waiting request; returns the one that took it, for the caller to
    /// resume without a lock.
    mutating func admitNext() -> Waiter<Void>.Ended? {
      while !interactive.isEmpty || !prefetch.isEmpty {
        let next = interactive.isEmpty ? prefetch.removeFirst() : interactive.removeFirst()
        // A request that was cancelled meanwhile does not take the slot.
        if let ended = next.end() { return ended }
      }
      return nil
    }
  }

  /// The number of hosts above which those without requests are removed: redirects may lead to ever
  /// more hosts.
  private static let maxHosts = 1_000

  private let limit: Int
  private let hosts = Mutex<[String: Host]>([:])

  /// Creates a queue with this many concurrent requests to a host.
  package init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Returns the number of running and of waiting requests to a host.
  package func counts(of host: String) -> (running: Int, waiting: Int) {
    hosts.withLock { hosts in
      hosts[host].map { ($0.running, $0.interactive.count + $0.prefetch.count) } ?? (0, 0)
    }
  }

  /// Takes a slot of a host for a request; waits if none is free.
  package func slot(
    of host: String, for request: OutgoingRequest
  ) async throws(Client.Error) -> Slot {
    if let waiter = enter(host, request.endpoint.priority) {
      // A transport that wraps this one may have started the limit for the first byte; the wait doesn't
      // count.
      request.transfer?.end()
      do {
        try await request.wait(for: waiter, as: .queued)
      } catch {
        giveUp(host, waiter)
        throw error
      }
    }
    return Slot(self, host)
  }

  /// Takes a slot; returns what to wait for if none is free.
  private func enter(_ name: String, _ priority: RequestPriority) -> Waiter<Void>? {
    hosts.withLock { hosts in
      let isFull = hosts[name].map { $0.running >= limit && !$0.sharesConnection } ?? false
      guard isFull else {
        hosts[name, default: Host()].running += 1
        return nil
      }
      let waiter = Waiter<Void>()
      if priority == .interactive {
        hosts[name]?.interactive.append(waiter)
      } else {
        hosts[name]?.prefetch.append(waiter)
      }
      return waiter
    }
  }

  private func giveUp(_ name: String, _ waiter: Waiter<Void>) {
    hosts.withLock { hosts in
      hosts[name]?.interactive.removeAll { $0 === waiter }
      hosts[name]?.prefetch.removeAll { $0 === waiter }
    }
  }

  private func leave(_ name: String, wasConnected: Bool) -> [Waiter<Void>.Ended] {
    hosts.withLock { hosts in
      if wasConnected { hosts[name]?.connected -= 1 }
      // The next request takes the slot over, unless more requests run than the limit allows, because a
      // shared connection was lost.
      let isWithinLimit = hosts[name].map { $0.running <= limit || $0.sharesConnection } ?? false
      if isWithinLimit, let next = hosts[name]?.admitNext() { return [next] }
      hosts[name]?.running -= 1
      if hosts[name]?.running == 0, hosts[name]?.isMultiplexed == false { hosts[name] = nil }
      if hosts.count > Self.maxHosts { hosts = hosts.filter { $0.value.running > 0 } }
      return []
    }
  }

  private func connect(_ name: String) -> [Waiter<Void>.Ended] {
    hosts.withLock { hosts in
      hosts[name]?.connected += 1
      return hosts[name]?.admitAll() ?? []
    }
  }

  private func hasConnection(_ name: String) -> Bool {
    hosts.withLock { $0[name]?.sharesConnection ?? false }
  }

  private func setMultiplexed(_ name: String, _ isMultiplexed: Bool) {
    let admitted = hosts.withLock { hosts in
      hosts[name]?.isMultiplexed = isMultiplexed
      return hosts[name]?.admitAll() ?? []
    }
    for waiter in admitted { waiter.resume() }
  }

  /// A request's permission to run, until it is released or deallocated.
  package final class Slot: Sendable {
    private enum State {
      case waiting, connected, released
    }

    private let queue: RequestQueue
    private let host: String
    private let state = Mutex(State.waiting)

    fileprivate init(_ queue: RequestQueue, _ host: String) {
      self.queue = queue
      self.host = host
    }

    deinit { release() }

    /// Whether there is a connection that the request shares with others (HTTP/2).
    package var sharesConnection: Bool { queue.hasConnection(host) }

    /// Records that the request has a connection.
    package func connect() {
      // Within the lock, so that a release can't come between the two changes.
      let admitted = state.withLock { state -> [Waiter<Void>.Ended] in
        guard state == .waiting else { return [] }
        state = .connected
        return queue.connect(host)
      }
      for waiter in admitted { waiter.resume() }
    }

    /// Records whether requests to the host share one connection (HTTP/2).
    package func setMultiplexed(_ isMultiplexed: Bool) {
      queue.setMultiplexed(host, isMultiplexed)
    }

    /// Releases the slot, so that the next request runs.
    package func release() {
      let admitted = state.withLock { state -> [Waiter<Void>.Ended] in
        guard state != .released else { return [] }
        defer { state = .released }
        return queue.leave(host, wasConnected: state == .connected)
      }
      for waiter in admitted { waiter.resume() }
    }
  }
}
