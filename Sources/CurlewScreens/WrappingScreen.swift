/// A screen that adds behavior to another screen, and wraps the other screen's events.
///
/// A ``ScreenModel`` of a wrapping screen also sends the wrapped screen's events: `model.send(.term(text))`.
/// Make the state `@dynamicMemberLookup`, so that the members of the wrapped screen's state can be read
/// directly.
public protocol WrappingScreen<Wrapped>: Screen {
  /// The wrapped screen.
  associatedtype Wrapped: Screen

  /// Returns the event of this screen that wraps an event of the wrapped screen.
  static func event(_ event: Wrapped.Event) -> Event
}

extension ScreenModel where S: WrappingScreen {
  /// Applies an event of the wrapped screen.
  @discardableResult
  public func send(_ event: S.Wrapped.Event) -> SentEvent { send(S.event(event)) }
}

extension ScreenModel where S: WrappingScreen, S.Wrapped: WrappingScreen {
  /// Applies an event of the screen that the wrapped screen wraps.
  @discardableResult
  public func send(_ event: S.Wrapped.Wrapped.Event) -> SentEvent { send(S.Wrapped.event(event)) }
}

extension ConnectionTracking: WrappingScreen where Content: WrappingScreen {
  /// The screen that the content wraps.
  public typealias Wrapped = Content.Wrapped

  /// Returns the content's event that wraps an event of its wrapped screen.
  public static func event(_ event: Content.Wrapped.Event) -> Content.Event {
    Content.event(event)
  }
}

/// A screen that only adds behavior to its single part: requests are attributed to the part.
package protocol DecoratingScreen {
  static var wrapped: Any.Type { get }
}

extension ActivityTracking: DecoratingScreen {
  package static var wrapped: Any.Type { Content.self }
}

extension ConnectionTracking: DecoratingScreen {
  package static var wrapped: Any.Type { Content.self }
}
