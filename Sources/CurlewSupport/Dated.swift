public import Foundation

/// A value, and when its source last knew it to be current: what a screen needs to say "from 3 minutes ago".
///
/// `Client.values(of:)` returns them; a screen's load may return them, from any source.
public struct Dated<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// When the server sent or validated the value; `nil` when that is not known.
  public var asOf: Date?

  /// Creates a dated value.
  public init(_ value: Value, asOf: Date?) {
    (self.value, self.asOf) = (value, asOf)
  }

  /// Returns what a closure makes of the value, with the same date.
  public func map<New: Sendable>(_ transform: (Value) throws -> New) rethrows -> Dated<New> {
    Dated<New>(try transform(value), asOf: asOf)
  }
}

extension Dated: Equatable where Value: Equatable {}
extension Dated: Hashable where Value: Hashable {}
