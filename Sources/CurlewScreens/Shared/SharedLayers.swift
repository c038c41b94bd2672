/// A settled value and the edits above it.
struct SharedLayers<Value: Sendable>: Sendable {
  typealias Change = @Sendable (inout Value) -> Void

  private(set) var base: Value
  private(set) var shown: Value
  private var edits = Edits<UInt64, Change>()
  /// The numbers of the running requests, whose responses are beneath the edits that are settled meanwhile.
  private var requests: Set<UInt64> = []

  init(_ value: Value) { (base, shown) = (value, value) }

  mutating func nextID() -> UInt64 { edits.nextNumber() }

  /// Adds a pending edit, unless it has been added.
  mutating func add(_ id: UInt64, _ change: @escaping Change) {
    if edits.layers.contains(where: { $0.id == id }) { return }
    edits.add(change, by: id)
    change(&shown)
  }

  /// Settles an edit.
  ///
  /// - Parameter change: The final change, which replaces the edit.
  mutating func settle(_ id: UInt64, _ change: @escaping Change) {
    add(id, change)
    let number = edits.nextNumber()
    edits.update(id) { ($0.edit, $0.settledAt) = (change, number) }
    show()
  }

  /// Removes an edit.
  mutating func drop(_ id: UInt64) {
    edits.drop(id)
    show()
  }

  /// Returns the number of a request that begins now.
  mutating func beginRequest() -> UInt64 {
    let request = edits.nextNumber()
    requests.insert(request)
    return request
  }

  /// Ends a request; the response is above only the edits and responses from before the request.
  mutating func endRequest(_ request: UInt64, _ response: Change?) {
    requests.remove(request)
    if let response {
      let earlier = edits.layers.filter { $0.isSettled(before: request) }
      edits.layers.removeAll { $0.isSettled(before: request) }
      edits.add(response, by: request, settledAt: request, at: 0)
      edits.layers.insert(contentsOf: earlier, at: 0)
    }
    show()
  }

  private mutating func show() {
    for layer in edits.takeSettled(before: requests.min() ?? .max) { layer.edit(&base) }
    shown = base
    for layer in edits.layers { layer.edit(&shown) }
  }
}
