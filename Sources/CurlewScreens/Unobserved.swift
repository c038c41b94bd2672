/// A part of a screen's state that views don't show: when nothing else changes, no new state is
/// delivered.
///
/// ```swift
/// struct State: Equatable {
///   var shown: Int?
///   @Unobserved var newest: Int?        // arrives faster than it is to be shown
/// }
/// ```
///
/// Two of them are always equal, so ``Screen/stateDidChange(_:_:)`` does not see them change
/// either.
@propertyWrapper
public struct Unobserved<Value: Sendable>: Sendable, Equatable {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// Says that views see no difference.
  public static func == (lhs: Self, rhs: Self) -> Bool { true }
}
