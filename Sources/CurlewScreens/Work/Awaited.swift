/// The identity of a load, stored in the state that awaits the load's result.
///
/// A state that was reset no longer contains the ticket, so the runner cancels the load, and the load's
/// later values don't reach the state.
final class LoadTicket: Sendable {}
