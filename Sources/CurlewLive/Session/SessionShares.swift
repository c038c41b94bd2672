/// The sessions of a page, and who of its clients keeps them: one with few is never kept out by one
/// with many.
package struct SessionShares<Session: Sendable>: Sendable {
  private struct Entry {
    let session: Session
    let client: IPAddress?
    /// The sessions before it have smaller numbers.
    let number: Int
  }

  private let limits: LiveLimits
  private var entries: [String: Entry] = [:]
  private var share = Share<String>()
  private var lastNumber = 0

  package init(_ limits: LiveLimits) {
    self.limits = limits
  }

  package var count: Int { entries.count }

  package var all: [Session] { entries.values.map(\.session) }

  package subscript(id: String) -> Session? { entries[id]?.session }

  /// Returns whether a session has to end before a client can start another.
  package func isFull(for client: IPAddress?) -> Bool {
    count >= limits.sessions || hasItsShare(client)
  }

  private func hasItsShare(_ client: IPAddress?) -> Bool {
    client != nil && share.number(of: client) >= limits.sessionsPerClient
  }

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - id: Its name, which no other one has.
  ///   - client: `nil` for one that has no share: a trusted proxy, or a socket without an address.
  ///   - idleTime: Returns the time since a session was last used; `nil` while it is connected.
  /// - Returns: Whether there is room for it, and the session that ends for it.
  package mutating func start(
    _ session: Session, as id: String, for client: IPAddress?, idleTime: (Session) -> Duration?
  ) -> (isStarted: Bool, ended: Session?) {
    var ended: Session?
    if isFull(for: client) {
      guard let id = nextToEnd(for: client, idleTime) else { return (false, nil) }
      ended = remove(id)
    }
    lastNumber += 1
    entries[id] = Entry(session: session, client: client, number: lastNumber)
    share.insert(id, of: client)
    return (true, ended)
  }

  /// Returns the session that ends for a new one: the longest idle one, else the oldest of the client with
  /// the most.
  private func nextToEnd(
    for client: IPAddress?, _ idleTime: (Session) -> Duration?
  ) -> String? {
    if let client, hasItsShare(client), let own = share.clients[client] {
      // One that is connected would connect again, and end the next one.
      return longestIdle(of: own, idleTime)
    }
    guard count >= limits.sessions else { return nil }
    if let idle = longestIdle(of: entries.keys, idleTime) { return idle }
    guard let largest = share.largest, share.number(of: largest) > share.number(of: client) + 1
    else { return nil }
    return share.clients[largest]?.min { number(of: $0) < number(of: $1) }
  }

  private func longestIdle(
    of ids: some Sequence<String>, _ idleTime: (Session) -> Duration?
  ) -> String? {
    let idle = ids.compactMap { id in
      entries[id].flatMap { entry in
        idleTime(entry.session).map { (id: id, time: $0, number: entry.number) }
      }
    }
    return idle.max { ($0.time, $1.number) < ($1.time, $0.number) }?.id
  }

  private func number(of id: String) -> Int { entries[id]?.number ?? 0 }

  @discardableResult
  private mutating func remove(_ id: String) -> Session? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    share.remove(id, of: entry.client)
    return entry.session
  }

  /// Removes the sessions for which a condition holds, and returns them.
  package mutating func removeAll(where isRemoved: (Session) -> Bool) -> [Session] {
    let ids = entries.filter { isRemoved($0.value.session) }.keys
    return ids.compactMap { remove($0) }
  }
}
