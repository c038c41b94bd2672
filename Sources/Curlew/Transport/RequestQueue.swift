import Synchronization

/// Limits the number of concurrent requests to a host; further requests wait in order, interactive requests before
/// prefetches.
package final class RequestQueue: Sendable {
  fileprivate struct State {
    var running = 0
    /// The number of running requests that have a connection.
    var connected = 0
    /// The total number of requests that got a connection.
    var connects = 0
    /// Whether all requests share one connection (HTTP/2).
    var isMultiplexed = false
    /// The number of connection pools that were given up (``Slot/abandonPool()``).
    var abandonedPools = 0
    /// The numbers of released slots; the last released number is reused first.
    var freeNumbers: [Int] = []
    private var usedNumbers = 0
    var waiting: [(waiter: Waiter<Void>, priority: RequestPriority)] = []

    /// The maximum number of requests on a shared connection, more than most servers allow (100 to 250): requests
    /// that wait in AsyncHTTPClient's own queue have no priorities, and restart at its end after a while.
    private static let maxShared = 300

    /// Whether there is a shared connection, to which the limit does not apply.
    var sharesConnection: Bool { isMultiplexed && connected > 0 }

    /// Whether a shared connection accepts another request.
    var admitsMore: Bool { sharesConnection && running < Self.maxShared }

    mutating func takeNumber() -> Int {
      if let number = freeNumbers.popLast() { return number }
      usedNumbers += 1
      return usedNumbers - 1
    }

    /// Lets all waiting requests run if they can share a connection; returns their waits, for the caller to resume
    /// without a lock.
    mutating func admitAll() -> [Waiter<Void>.Ended] {
      var admitted: [Waiter<Void>.Ended] = []
      while admitsMore, let next = admitNext() {
        running += 1
        admitted.append(next)
      }
      return admitted
    }

    /// Gives a slot to the next waiting request; returns the request's wait, for the caller to resume without a lock.
    mutating func admitNext() -> Waiter<Void>.Ended? {
      while !waiting.isEmpty {
        let index = waiting.firstIndex { $0.priority == .interactive } ?? 0
        let next = waiting.remove(at: index).waiter
        // A request that was cancelled meanwhile does not take the slot.
        if let ended = next.end() { return ended }
      }
      return nil
    }
  }

  /// The requests to a host; an object, so that only the first of a request's steps looks it up by name.
  fileprivate final class Host: Sendable {
    let state = Mutex(State())
  }

  /// The number of hosts above which hosts without requests are removed: redirects may lead to ever more hosts.
  private static let maxHosts = 1_000

  private let limit: Int
  private let hosts = Mutex<[String: Host]>([:])

  /// Creates a queue with this many concurrent requests to a host.
  package init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Returns the number of running and of waiting requests to a host.
  func counts(of host: String) -> (running: Int, waiting: Int) {
    hosts.withLock { $0[host] }?.state.withLock { ($0.running, $0.waiting.count) } ?? (0, 0)
  }

  /// Takes a slot of a host for a request; waits if none is free.
  package func slot(
    of host: String, for request: OutgoingRequest
  ) async throws(Client.Error) -> Slot {
    let (host, waiter) = takeSlot(host, request.declaration.priority)
    if let waiter {
      // A wrapping transport may have started the limit for the first byte; the wait doesn't count.
      request.transfer?.end()
      do {
        try await request.wait(for: waiter, as: .queued)
      } catch {
        host.state.withLock { $0.waiting.removeAll { $0.waiter === waiter } }
        throw error
      }
    }
    return Slot(host, limit)
  }

  /// Takes a slot if any is free; otherwise returns a waiter.
  private func takeSlot(
    _ name: String, _ priority: RequestPriority
  ) -> (Host, Waiter<Void>?) {
    // Within the lock, so that no host is removed before its request counts.
    hosts.withLock { hosts in
      let host = host(name, in: &hosts)
      return host.state.withLock { state in
        guard state.running >= limit, !state.admitsMore else {
          state.running += 1
          return (host, nil)
        }
        let waiter = Waiter<Void>()
        state.waiting.append((waiter, priority))
        return (host, waiter)
      }
    }
  }

  private func host(_ name: String, in hosts: inout [String: Host]) -> Host {
    if let host = hosts[name] { return host }
    if hosts.count >= Self.maxHosts {
      hosts = hosts.filter { $0.value.state.withLock { $0.running > 0 } }
    }
    let host = Host()
    hosts[name] = host
    return host
  }

  /// A request's permission to run, until it is released or deallocated.
  package final class Slot: Sendable {
    private enum State {
      case waiting, connected, released
    }

    private let host: Host
    private let limit: Int
    private let state = Mutex(State.waiting)
    /// The slot's number within its host, from 0: unique among the running requests, and reused after the release.
    package let number: Int
    /// The number of the connection pool: each pool that opens no connection in time is given up for the next.
    package let pool: Int
    private let firstConnects: Int
    private let lastConnects: Mutex<Int>

    fileprivate init(_ host: Host, _ limit: Int) {
      (self.host, self.limit) = (host, limit)
      let (number, connects, pool) = host.state.withLock {
        ($0.takeNumber(), $0.connects, $0.abandonedPools)
      }
      (self.number, self.pool) = (number, pool)
      firstConnects = connects
      lastConnects = Mutex(connects)
    }

    deinit { release() }

    /// Whether there is a connection that the request shares with other requests (HTTP/2).
    package var sharesConnection: Bool { host.state.withLock { $0.sharesConnection } }

    /// Returns whether the request only waits for its turn on a shared connection (HTTP/2): there is a shared
    /// connection, or another request got a connection since the last call, for example if a server allows a hundred
    /// requests per connection.
    package func waitsForTurn() -> Bool {
      let (isShared, connects) = host.state.withLock { host in
        (host.sharesConnection, host.isMultiplexed ? host.connects : 0)
      }
      return lastConnects.withLock { last in
        defer { last = connects }
        return isShared || connects > last
      }
    }

    /// Whether another request got a shared connection (HTTP/2) since this request got its slot.
    package var hasSeenOthersConnect: Bool {
      host.state.withLock { $0.isMultiplexed && $0.connects > firstConnects }
    }

    /// Whether requests to the host have had connections, and whether these were shared (HTTP/2).
    package var history: (hasConnections: Bool, isShared: Bool) {
      host.state.withLock { ($0.connects > 0, $0.isMultiplexed) }
    }

    /// Lets later requests use another connection pool than this request's.
    package func abandonPool() {
      host.state.withLock { $0.abandonedPools = max($0.abandonedPools, pool + 1) }
    }

    /// Records that the request has a connection.
    package func connect() {
      // Within the lock, so that a release can't come between the two changes.
      let admitted = state.withLock { state -> [Waiter<Void>.Ended] in
        guard state == .waiting else { return [] }
        state = .connected
        return host.state.withLock { host in
          host.connected += 1
          host.connects += 1
          return host.admitAll()
        }
      }
      for waiter in admitted { waiter.resume() }
    }

    /// Records whether requests to the host share one connection (HTTP/2).
    package func setMultiplexed(_ isMultiplexed: Bool) {
      let admitted = host.state.withLock { host in
        host.isMultiplexed = isMultiplexed
        return host.admitAll()
      }
      for waiter in admitted { waiter.resume() }
    }

    /// Releases the slot, so that the next request runs.
    package func release() {
      let next = state.withLock { state -> Waiter<Void>.Ended? in
        guard state != .released else { return nil }
        defer { state = .released }
        return freeSlot(wasConnected: state == .connected)
      }
      next?.resume()
    }

    private func freeSlot(wasConnected: Bool) -> Waiter<Void>.Ended? {
      host.state.withLock { host in
        host.freeNumbers.append(number)
        if wasConnected { host.connected -= 1 }
        // The next request takes the slot over, unless more requests run than the limit allows, because a
        // shared connection was lost.
        if host.running <= limit || host.sharesConnection, let next = host.admitNext() {
          return next
        }
        host.running -= 1
        return nil
      }
    }
  }
}
