/// The logic of a screen as a pure value: how an event changes its state, and which work it starts
/// or cancels.
///
/// A screen holds no task, lock or stream, because its ``Runner`` does. You can read it from top to
/// bottom, and test it by calling ``handle(_:_:_:)``.
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
  /// Everything that a view needs to draw the screen, in one value.
  associatedtype State: Equatable & Sendable
  /// An action of the user or of the view.
  associatedtype Event: Sendable

  /// The state before any event.
  var initial: State { get }

  /// The parts of the screen that are screens themselves; none by default.
  var parts: [Part<State, Event>] { get }

  /// Starts the work that the screen needs before any event, such as observing a stream.
  ///
  /// The runner calls this method once, before the first event or when the screen is first shown, and
  /// once for each of the ``parts`` when it appears. It is not called when a suspended screen
  /// resumes, because the screen's work resumes automatically. Does nothing by default.
  func begin(_ state: inout State, _ work: inout Work<State>)

  /// Handles an event: changes the state, and adds the work to start or cancel.
  ///
  /// The runner calls this method for one event at a time. The method must not block. An event that it sends to its own
  /// runner is applied after this one.
  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>)

  /// Handles any change of the state, to update everything that depends on the state as a whole.
  ///
  /// The runner calls this method after each event and each result that changed the state, and again as
  /// long as the method itself changes the state; an endless loop stops the process or ends the screen
  /// (``ScreenErrorPolicy``). The changed ``parts`` are called first. Does nothing by default.
  func stateDidChange(_ state: inout State, _ work: inout Work<State>)

  /// Returns the status of a state's loads, always in the same order; by default, of the loads of its
  /// ``parts``.
  func loads(in state: State) -> [LoadStatus<Event>]
}

extension Screen {
  /// No parts.
  public var parts: [Part<State, Event>] { [] }

  /// Does nothing.
  public func begin(_ state: inout State, _ work: inout Work<State>) {}

  /// Does nothing.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {}

  /// Returns the loads of the parts.
  public func loads(in state: State) -> [LoadStatus<Event>] { loadsOfParts(in: state) }

  /// Returns the loads of the parts, for a screen that adds loads of its own, such as its writes.
  ///
  /// ```swift
  /// func loads(in state: State) -> [LoadStatus<Event>] {
  ///   loadsOfParts(in: state)
  ///     + [LoadStatus(name: "save", isLoading: state.isSaving, failure: state.problem)]
  /// }
  /// ```
  public func loadsOfParts(in state: State) -> [LoadStatus<Event>] {
    parts.flatMap { $0.loads?(state) ?? [] }
  }
}
