import Foundation
import HTTPTypes
import Synchronization

/// The responses that are on their way, so that what was asked for before an invalidation or a purge is not
/// stored after it.
final class CacheTickets: Sendable {
  /// A response that is on its way; it is void when what it says may be out of date.
  final class Ticket: Sendable {
    fileprivate let key: CacheKey
    /// A later request has a greater number.
    fileprivate let number: Int
    private let tickets: CacheTickets
    private let hasBeenVoided = Atomic<Bool>(false)

    fileprivate init(_ key: CacheKey, number: Int, _ tickets: CacheTickets) {
      (self.key, self.number, self.tickets) = (key, number, tickets)
    }

    deinit { tickets.forget(ObjectIdentifier(self), key) }

    var isVoid: Bool { hasBeenVoided.load(ordering: .acquiring) }

    /// Records that the response was stored, and returns the ids of the entries that it replaces; `nil` if
    /// one that was stored while this ticket counted is newer.
    ///
    /// - Parameters:
    ///   - hasDate: Whether the server sent a `Date`.
    ///   - matches: Returns whether another response may be chosen for the same request.
    func stored(
      _ response: StoredResponse, hasDate: Bool, matching matches: (StoredResponse) -> Bool
    ) -> [StoredResponse.ID]? {
      tickets.stored(Arrival(response, number, hasDate: hasDate), for: key, matching: matches)
    }

    fileprivate func void() { hasBeenVoided.store(true, ordering: .releasing) }
  }

  private struct Issued {
    weak var ticket: Ticket?
  }

  /// A response that was stored, and when it was asked for.
  private struct Arrival {
    let response: StoredResponse
    let number: Int
    let date: Date?

    init(_ response: StoredResponse, _ number: Int, hasDate: Bool) {
      (self.response, self.number) = (response, number)
      date =
        hasDate ? response.head.headerFields.date(.date, now: response.responseTime) : nil
    }

    /// Whether it says more recently what the resource is than another one: by the server's `Date`, or else by
    /// when it was asked for.
    func isNewer(than other: Arrival) -> Bool {
      if let date, let otherDate = other.date, date != otherDate { return date > otherDate }
      return number > other.number
    }
  }

  /// The accounts that were removed.
  private struct Purges {
    /// More than calls that last a minute see.
    private static let kept = 256

    private(set) var count = 0
    /// The last ones; `nil` for all accounts.
    private var accounts: [String??] = []

    mutating func add(_ account: String??) {
      count += 1
      accounts.append(account)
      if accounts.count > Self.kept { accounts.removeFirst() }
    }

    /// Whether an account was removed after so many purges; what is not known any more counts as removed.
    func include(_ account: String?, after count: Int) -> Bool {
      let later = self.count - count
      return later > accounts.count
        || accounts.suffix(later).contains { $0 == nil || $0 == .some(account) }
    }
  }

  private struct State {
    var issued: [ObjectIdentifier: Issued] = [:]
    var lastNumber = 0
    var purges = Purges()
    /// For each key with tickets, their number and what was stored: those that asked at the same time don't
    /// know of each other's responses.
    var keys: [CacheKey: (count: Int, stored: [Arrival])] = [:]
  }

  private let state = Mutex(State())

  /// The number of purges so far: a call notes it when it begins.
  var purges: Int { state.withLock { $0.purges.count } }

  /// Returns a ticket for a response; it counts until it is released.
  ///
  /// - Parameter purges: The number of purges when the call began: the ticket is void if its account was
  ///   removed since, however long the call waited before this request.
  func issue(for key: CacheKey, since purges: Int?) -> Ticket {
    state.withLock { state in
      state.lastNumber += 1
      let ticket = Ticket(key, number: state.lastNumber, self)
      state.issued[ObjectIdentifier(ticket)] = Issued(ticket: ticket)
      state.keys[key, default: (0, [])].count += 1
      if let purges, state.purges.include(key.account, after: purges) { ticket.void() }
      return ticket
    }
  }

  /// Voids the tickets of an account, and those of its calls that have not sent their request yet; of all
  /// accounts for `nil`.
  func purge(_ account: String??) {
    state.withLock { $0.purges.add(account) }
    void { account == nil || account == .some($0.account) }
  }

  /// Voids the tickets of keys.
  func void(where isAffected: (CacheKey) -> Bool) {
    // Kept until the lock is released: the last reference to a ticket takes it, too.
    let tickets = state.withLock { $0.issued.values.compactMap(\.ticket) }
    for ticket in tickets where isAffected(ticket.key) { ticket.void() }
  }

  private func stored(
    _ arrival: Arrival, for key: CacheKey, matching matches: (StoredResponse) -> Bool
  ) -> [StoredResponse.ID]? {
    state.withLock { state in
      let others = (state.keys[key]?.stored ?? []).filter { matches($0.response) }
      if others.contains(where: { $0.isNewer(than: arrival) }) { return nil }
      let replaced = others.map(\.response.id)
      state.keys[key]?.stored.removeAll { replaced.contains($0.response.id) }
      // Alone, it knows all that is stored.
      if let count = state.keys[key]?.count, count > 1 {
        state.keys[key]?.stored.append(arrival)
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
