import Synchronization

/// The responses that are on their way, so that what was asked for before an invalidation or a purge is not
/// stored after it.
final class CacheTickets: Sendable {
  /// A response that is on its way; it is void when what it says may be out of date.
  final class Ticket: Sendable {
    fileprivate let key: CacheKey
    private let tickets: CacheTickets
    private let hasBeenVoided = Atomic<Bool>(false)

    fileprivate init(_ key: CacheKey, _ tickets: CacheTickets) {
      (self.key, self.tickets) = (key, tickets)
    }

    deinit { tickets.forget(ObjectIdentifier(self), key) }

    var isVoid: Bool { hasBeenVoided.load(ordering: .acquiring) }

    /// Notes that the response is stored; returns what it takes the place of, of what was stored for the key
    /// while this ticket counted.
    func stored(
      _ response: StoredResponse, replacing: ([StoredResponse]) -> [StoredResponse.ID]
    ) -> [StoredResponse.ID] {
      tickets.stored(response, for: key, replacing: replacing)
    }

    fileprivate func void() { hasBeenVoided.store(true, ordering: .releasing) }
  }

  private struct Issued {
    weak var ticket: Ticket?
  }

  private struct State {
    var issued: [ObjectIdentifier: Issued] = [:]
    /// For each key with tickets, their number and what was stored: those that asked at the same time don't
    /// know of each other's responses.
    var keys: [CacheKey: (count: Int, stored: [StoredResponse])] = [:]
  }

  private let state = Mutex(State())

  /// Returns a ticket for a response; it counts until it is released.
  func issue(for key: CacheKey) -> Ticket {
    let ticket = Ticket(key, self)
    state.withLock { state in
      state.issued[ObjectIdentifier(ticket)] = Issued(ticket: ticket)
      state.keys[key, default: (0, [])].count += 1
    }
    return ticket
  }

  /// Voids the tickets of keys.
  func void(where isAffected: (CacheKey) -> Bool) {
    // Kept until the lock is released: the last reference to a ticket takes it, too.
    let tickets = state.withLock { $0.issued.values.compactMap(\.ticket) }
    for ticket in tickets where isAffected(ticket.key) { ticket.void() }
  }

  private func stored(
    _ response: StoredResponse, for key: CacheKey,
    replacing: ([StoredResponse]) -> [StoredResponse.ID]
  ) -> [StoredResponse.ID] {
    state.withLock { state in
      let replaced = replacing(state.keys[key]?.stored ?? [])
      state.keys[key]?.stored.removeAll { replaced.contains($0.id) }
      // Alone, it knows all that is stored.
      if let count = state.keys[key]?.count, count > 1 {
        state.keys[key]?.stored.append(response)
      }
      return replaced
    }
  }

  private func forget(_ id: ObjectIdentifier, _ key: CacheKey) {
    state.withLock { state in
      state.issued[id] = nil
      state.keys[key]?.count -= 1
      if state.keys[key]?.count == 0 { state.keys[key] = nil }
    }
  }
}
