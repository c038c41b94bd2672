/// The identity of one load, which the state that awaits its result knows.
///
/// A state that was reset, or begun anew, no longer awaits it, so the runner cancels the load and nothing
/// that it still delivers reaches the state.
final class LoadTicket: Sendable {}
