/// A screen that adds something to another one, and has an event for the other one's events.
///
/// A ``ScreenModel`` of it sends the events of the other screen, too: `model.send(.term(text))`. Make its state
/// `@dynamicMemberLookup`, so that the members of the other state are read without a step between.
public protocol WrappingScreen<Wrapped>: Screen {
  /// The other screen.
  associatedtype Wrapped: Screen

  /// Returns the event by which this screen passes one on to the other screen.
  static func event(_ event: Wrapped.Event) -> Event
}

extension ScreenModel where S: WrappingScreen {
  /// Applies an event of the wrapped screen.
  @discardableResult
  public func send(_ event: S.Wrapped.Event) -> SentEvent { send(S.event(event)) }
}

extension ScreenModel where S: WrappingScreen, S.Wrapped: WrappingScreen {
  /// Applies an event of the screen that the wrapped one wraps.
  @discardableResult
  public func send(_ event: S.Wrapped.Wrapped.Event) -> SentEvent { send(S.Wrapped.event(event)) }
}

extension ConnectionTracking: WrappingScreen where Content: WrappingScreen {
  /// The screen that the content wraps.
  public typealias Wrapped = Content.Wrapped

  /// Returns the event by which the content passes one on.
  public static func event(_ event: Content.Wrapped.Event) -> Content.Event {
    Content.event(event)
  }
}

/// A screen that only adds something to another one, which is its one part: requests are made for that one.
package protocol DecoratingScreen {
  static var wrapped: Any.Type { get }
}

extension ActivityTracking: DecoratingScreen {
  package static var wrapped: Any.Type { Content.self }
}

extension ConnectionTracking: DecoratingScreen {
  package static var wrapped: Any.Type { Content.self }
}
