/// The identity of one load, which the state that awaits its result knows.
final class LoadTicket: Sendable {}

/// The load whose result a state awaits.
///
/// A state that was reset, or begun anew, no longer awaits it, so the runner cancels the load and nothing that
/// it still delivers reaches the state. It takes no part in comparison: two states look the same whichever load
/// they await.
struct Awaited: Equatable, Sendable {
  private var ticket: LoadTicket?

  static func == (lhs: Self, rhs: Self) -> Bool { true }

  /// Begins to await a load in place of any other.
  mutating func begin(_ ticket: LoadTicket) { self.ticket = ticket }

  /// Returns whether this load's result is awaited.
  func awaits(_ ticket: LoadTicket) -> Bool { self.ticket === ticket }

  /// Ends the wait; returns `false` if another load, or none, is awaited.
  @discardableResult
  mutating func end(_ ticket: LoadTicket) -> Bool {
    guard awaits(ticket) else { return false }
    self.ticket = nil
    return true
  }
}
