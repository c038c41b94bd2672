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
  private var stored: Uncompared<Value>

  /// Wraps a value.
  public init(wrappedValue: Value) {
    stored = Uncompared(value: wrappedValue)
  }

  /// The value.
  public var wrappedValue: Value {
    get { stored.value }
    set { stored.value = newValue }
  }
}

extension Unobserved: Codable where Value: Codable {}

extension Uncompared: Codable where Value: Codable {}

/// A value that is ignored in comparisons.
struct Uncompared<Value: Sendable>: Sendable, Hashable {
  var value: Value

  static func == (lhs: Self, rhs: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
