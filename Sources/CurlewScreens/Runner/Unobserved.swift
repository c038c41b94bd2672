/// A property of a screen's state that views don't show: a change of only such properties delivers
/// no new state.
///
/// ```swift
/// struct State: Equatable {
///   var shown: Int?
///   @Unobserved var newest: Int?        // changes faster than it should be shown
/// }
/// ```
///
/// Two wrapped values always compare equal, so their changes don't call
/// ``Screen/stateDidChange(_:_:)`` either.
@propertyWrapper
public struct Unobserved<Value: Sendable>: Sendable, Equatable {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Returns true: wrapped values always compare equal.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }
}
