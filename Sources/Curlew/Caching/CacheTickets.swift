import Foundation
import HTTPTypes
import Synchronization

/// Tracks the responses in flight, so that a response that was requested before an invalidation or a purge is
/// not stored after it.
final class CacheTickets: Sendable {
  /// A ticket of a response in flight; it is void if the response may be outdated.
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

    /// Records that the response was stored, and returns the ids of the entries that it replaces; `nil` if a
    /// newer response was stored during the ticket's lifetime.
    ///
    /// - Parameters:
    ///   - hasDate: Whether the server sent a `Date`.
    ///   - matches: Returns whether another response may be chosen for the same request.
    func stored(
      _ response: StoredResponse, hasDate: Bool, matching matches: (StoredResponse) -> Bool
    ) -> [StoredResponse.ID]? {
      tickets.stored(
        NumberedResponse(response, number, hasDate: hasDate), for: key, matching: matches)
    }

    fileprivate func void() { hasBeenVoided.store(true, ordering: .releasing) }
  }

  private struct Issued {
    weak var ticket: Ticket?
  }

  /// A stored response, and the number of its request.
  private struct NumberedResponse {
    let response: StoredResponse
    let number: Int
    let date: Date?

    init(_ response: StoredResponse, _ number: Int, hasDate: Bool) {
      (self.response, self.number) = (response, number)
      date =
        hasDate ? response.head.headerFields.date(.date, now: response.responseTime) : nil
    }

    /// Returns whether the response is newer than another: by the server's `Date`, otherwise by the order of
    /// the requests.
    func isNewer(than other: NumberedResponse) -> Bool {
      if let date, let otherDate = other.date, date != otherDate { return date > otherDate }
      return number > other.number
    }
  }

  /// The purged accounts.
  private struct Purges {
    /// The number of purges that are remembered: more than occur during a call of a minute.
    private static let maximumPurges = 256

    private(set) var count = 0
    /// The accounts of the last purges; `nil` for a purge of all accounts.
    private var accounts: [Bytewise??] = []

    mutating func add(_ account: Bytewise??) {
      count += 1
      accounts.append(account)
      if accounts.count > Self.maximumPurges { accounts.removeFirst() }
    }

    /// Returns whether an account was purged after the first `count` purges; `true` if these purges are no
    /// longer remembered.
    func include(_ account: Bytewise?, after count: Int) -> Bool {
      let later = self.count - count
      return later > accounts.count
        || accounts.suffix(later).contains { $0 == nil || $0 == .some(account) }
    }
  }

  private struct State {
    var issued: [ObjectIdentifier: Issued] = [:]
    var lastNumber = 0
    var purges = Purges()
    /// For each key with tickets, the number of tickets and the stored responses: concurrent requests don't
    /// see each other's responses.
    var keys: [CacheKey: (count: Int, stored: [NumberedResponse])] = [:]
  }

  private let state = Mutex(State())

  /// The number of purges so far; a call records it when it begins.
  var purges: Int { state.withLock { $0.purges.count } }

  /// Returns a ticket for a response; it is registered until it is released.
  ///
  /// - Parameter purges: The number of purges when the call began: the ticket is void if its account was
  ///   purged since then, however long the call waited before this request.
  func issue(for key: CacheKey, since purges: Int?) -> Ticket {
    state.withLock { state in
      state.lastNumber += 1
      let ticket = Ticket(key, number: state.lastNumber, self)
      state.issued[ObjectIdentifier(ticket)] = Issued(ticket: ticket)
      state.keys[key, default: (0, [])].count += 1
      if let purges, state.purges.include(key.account.map(Bytewise.init), after: purges) {
        ticket.void()
      }
      return ticket
    }
  }

  /// Voids the tickets of an account, including the later tickets of its calls in progress; `nil` stands for
  /// all accounts.
  func purge(_ account: String??) {
    let account = account.map { $0.map(Bytewise.init) }
    state.withLock { $0.purges.add(account) }
    void { account == nil || account == .some($0.account.map(Bytewise.init)) }
  }

  /// Voids the tickets of all keys that satisfy a predicate.
  func void(where isAffected: (CacheKey) -> Bool) {
    // The tickets are kept until the lock is released: their `deinit` takes the lock, too.
    let tickets = state.withLock { $0.issued.values.compactMap(\.ticket) }
    for ticket in tickets where isAffected(ticket.key) { ticket.void() }
  }

  private func stored(
    _ response: NumberedResponse, for key: CacheKey, matching matches: (StoredResponse) -> Bool
  ) -> [StoredResponse.ID]? {
    state.withLock { state in
      let others = (state.keys[key]?.stored ?? []).filter { matches($0.response) }
      if others.contains(where: { $0.isNewer(than: response) }) { return nil }
      let replaced = others.map(\.response.id)
      state.keys[key]?.stored.removeAll { replaced.contains($0.response.id) }
      // Without other tickets, no request is concurrent with this response.
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
