/// The values of visitors, for at most the newest 1,000 visitors.
package struct VisitorTable<Value: Sendable>: Sendable {
  private static var limit: Int { 1_000 }

  /// The visitors, oldest first.
  package private(set) var visitors: [String] = []
  private var values: [String: Value] = [:]

  package init() {}

  package subscript(visitor: String) -> Value? { values[visitor] }

  /// Sets a visitor's value; removes the oldest visitor's value if there are too many.
  package mutating func set(_ value: Value, of visitor: String) {
    guard values.updateValue(value, forKey: visitor) == nil else { return }
    visitors.append(visitor)
    if visitors.count > Self.limit { values[visitors.removeFirst()] = nil }
  }
}
