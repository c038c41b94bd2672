/// The sessions of a page, shared fairly among its clients: a client with many sessions never keeps out a client with
/// few.
package struct SessionShares<Session: Sendable>: Sendable {
  private struct Entry {
    let session: Session
    let client: IPAddress?
    let visitor: String?
    /// The session's serial number; earlier sessions have smaller numbers.
    let number: Int
  }

  private let limits: LiveLimits
  private var entries: [String: Entry] = [:]
  private var share = Share<String, IPAddress>()
  private var visitors = Share<String, String>()
  private var lastNumber = 0

  package init(_ limits: LiveLimits) {
    self.limits = limits
  }

  package var count: Int { entries.count }

  package var all: [Session] { entries.values.map(\.session) }

  package subscript(id: String) -> Session? { entries[id]?.session }

  /// Returns whether a session has to end before a client and its visitor can start another.
  package func isFull(for client: IPAddress?, by visitor: String? = nil) -> Bool {
    count >= limits.sessions || own(of: client, visitor) != nil
  }

  /// Returns the sessions of which one has to end, because the client or the visitor has as many as it may have;
  /// otherwise `nil`.
  private func own(of client: IPAddress?, _ visitor: String?) -> Set<String>? {
    var own: Set<String>?
    if let visitor, visitors.number(of: visitor) >= limits.sessionsPerVisitor {
      own = visitors.clients[visitor] ?? []
    }
    if let client, share.number(of: client) >= limits.sessionsPerClient {
      let all = share.clients[client] ?? []
      own = own?.intersection(all) ?? all
    }
    return own
  }

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - id: The session's unique id.
  ///   - client: The session's client; `nil` for a client without a limit: a trusted proxy, or a socket without an
  ///     address.
  ///   - visitor: The session's visitor; `nil` for a visitor who is not known, without a limit.
  ///   - idleTime: A closure that returns the time since a session was last used; `nil` while it is connected.
  /// - Returns: Whether the session was started, and the session that was ended for it.
  package mutating func start(
    _ session: Session, as id: String, for client: IPAddress?, by visitor: String? = nil,
    idleTime: (Session) -> Duration?
  ) -> (isStarted: Bool, ended: Session?) {
    var ended: Session?
    if isFull(for: client, by: visitor) {
      guard let id = nextToEnd(for: client, visitor, idleTime) else { return (false, nil) }
      ended = remove(id)
    }
    lastNumber += 1
    entries[id] = Entry(session: session, client: client, visitor: visitor, number: lastNumber)
    share.insert(id, of: client)
    visitors.insert(id, of: visitor)
    return (true, ended)
  }

  /// Returns the session to end for a new session: the longest-idle session or, if all are connected, the oldest
  /// session of the client with the most sessions.
  private func nextToEnd(
    for client: IPAddress?, _ visitor: String?, _ idleTime: (Session) -> Duration?
  ) -> String? {
    if let own = own(of: client, visitor) {
      // The tab of a connected session would reconnect, and end the next session.
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
  mutating func remove(_ id: String) -> Session? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    share.remove(id, of: entry.client)
    visitors.remove(id, of: entry.visitor)
    return entry.session
  }

  /// Removes and returns the sessions for which a closure returns true.
  package mutating func removeAll(where isRemoved: (Session) -> Bool) -> [Session] {
    let ids = entries.filter { isRemoved($0.value.session) }.keys
    return ids.compactMap { remove($0) }
  }
}
