public import Foundation

/// A value, and the time at which it was last known to be current, so that a screen can show "from 3 minutes
/// ago".
///
/// A screen's load may return dated values, from any source.
public struct Dated<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The time at which the server sent or validated the value; `nil` when it is unknown.
  public var asOf: Date?

  /// Creates a dated value.
  public init(_ value: Value, asOf: Date?) {
    (self.value, self.asOf) = (value, asOf)
  }

  /// Returns the transformed value, with the same date.
  public func map<New: Sendable>(_ transform: (Value) throws -> New) rethrows -> Dated<New> {
    Dated<New>(try transform(value), asOf: asOf)
  }
}

extension Dated: Equatable where Value: Equatable {}
extension Dated: Hashable where Value: Hashable {}
