/// The edits above a server's value, in the order in which they were made.
///
/// A value counts as of its request: pending edits, and edits that were settled after the request, stay above it.
package struct Edits<ID: Equatable, Edit>: Equatable {
  package struct Layer {
    package let id: ID
    package var edit: Edit
    /// The number at which the edit was settled; `nil` while it is pending.
    package var settledAt: UInt64?
    /// Identifies the layer in comparisons: a closure can't be compared.
    fileprivate let number: UInt64

    package func isSettled(before number: UInt64) -> Bool { settledAt.map { $0 < number } ?? false }
  }

  package var layers: [Layer] = []
  package private(set) var lastNumber: UInt64 = 0

  package init() {}

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.layers.elementsEqual(rhs.layers) { $0.number == $1.number }
  }

  /// Returns a number greater than all earlier numbers.
  package mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Adds an edit, above the others unless an index is given.
  package mutating func add(
    _ edit: Edit, by id: ID, settledAt: UInt64? = nil, at index: Int? = nil
  ) {
    let layer = Layer(id: id, edit: edit, settledAt: settledAt, number: nextNumber())
    layers.insert(layer, at: index ?? layers.count)
  }

  /// Changes the edits with an id, for example to settle them.
  package mutating func update(_ id: ID, _ change: (inout Layer) -> Void) {
    for index in layers.indices where layers[index].id == id { change(&layers[index]) }
  }

  /// Removes the edits with an id.
  package mutating func drop(_ id: ID) { layers.removeAll { $0.id == id } }

  /// Removes and returns the edits that belong to the settled value: up to the first pending edit, and up to the first
  /// edit that the response to a running request may not contain.
  ///
  /// - Parameter number: The number of the first running request.
  package mutating func takeSettled(before number: UInt64 = .max) -> [Layer] {
    let settled = Array(layers.prefix { $0.isSettled(before: number) })
    layers.removeFirst(settled.count)
    return settled
  }
}

extension Edits: Sendable where ID: Sendable, Edit: Sendable {}
extension Edits.Layer: Sendable where ID: Sendable, Edit: Sendable {}
