/// A screen as a pure value: how an event changes its state, and which work to start or stop.
///
/// A screen holds no task, no lock and no stream: one ``Runner`` does that for every screen. So it
/// is read from top to bottom and tested by calling ``handle(_:_:_:)``.
///
/// ```swift
/// struct Counter: Screen {
///   enum Event { case plus, minus }
///   var initial: Int { 0 }
///   func handle(_ event: Event, _ state: inout Int, _ work: inout Work<Int>) {
///     switch event {
///     case .plus: state += 1
///     case .minus: state -= 1
///     }
///   }
/// }
/// ```
public protocol Screen<State, Event>: Sendable {
  /// All that a view needs to draw the screen, in one value.
  associatedtype State: Equatable & Sendable
  /// What a user, or the view for them, does.
  associatedtype Event: Sendable

  /// The state before any event.
  var initial: State { get }

  /// The parts of the screen that are screens themselves and are followed; none by default.
  var parts: [Part<State, Event>] { get }

  /// Handles an event: changes the state at once, and says which work to start or stop.
  ///
  /// It is called one event at a time and must not wait, nor call its runner, which stops the
  /// process with a message.
  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>)

  /// Handles a change of the state, whoever made it: for what follows from the state as a whole.
  ///
  /// It is called after each event and each result that changed the state, and again while it
  /// changes the state itself; a screen that never comes to rest stops the process with a message.
  /// Those of its ``parts`` that have changed come first. Does nothing by default.
  func stateDidChange(_ state: inout State, _ work: inout Work<State>)
}

extension Screen {
  /// No parts.
  public var parts: [Part<State, Event>] { [] }

  /// Does nothing.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {}
}
