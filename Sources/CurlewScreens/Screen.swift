/// A screen as a pure value: how its state answers an event, and which work to start or stop.
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
  /// What a person, or the view for them, does.
  associatedtype Event: Sendable

  /// The state before any event.
  var initial: State { get }

  /// Answers an event: changes the state at once, and says which work to start or stop.
  ///
  /// It is called one event at a time and must not wait, nor call its runner.
  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>)

  /// Answers a change of the state, whoever made it: for what follows from the state as a whole.
  ///
  /// It is called after each event and each result that changed the state, and again while it
  /// changes the state itself. Does nothing unless a screen says otherwise.
  func stateDidChange(_ state: inout State, _ work: inout Work<State>)
}

extension Screen {
  /// Does nothing.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {}
}
