/// What each visitor has of its own: of the newest 1,000.
package struct VisitorTable<Value: Sendable>: Sendable {
  private static var limit: Int { 1_000 }

  /// The visitors, the oldest first.
  package private(set) var visitors: [String] = []
  private var values: [String: Value] = [:]

  package init() {}

  package subscript(visitor: String) -> Value? { values[visitor] }

  /// Sets a visitor's value; the oldest visitor's is dropped when there are too many.
  package mutating func set(_ value: Value, of visitor: String) {
    guard values.updateValue(value, forKey: visitor) == nil else { return }
    visitors.append(visitor)
    if visitors.count > Self.limit { values[visitors.removeFirst()] = nil }
  }
}
