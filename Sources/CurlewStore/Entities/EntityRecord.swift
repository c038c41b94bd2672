/// What a store knows of one entity, whatever its type.
class EntityRecord {
  /// What an entity is found by.
  struct Key: Hashable {
    let type: ObjectIdentifier
    let id: AnyHashable
    let account: String?
  }

  let key: Key
  /// The ids of the entries whose values hold it.
  var entries: Set<Int> = []
  /// The requests whose lists it was inserted into, or taken out of.
  var lists: Set<RequestKey> = []
  /// The number of the last settled edit; zero without one.
  fileprivate(set) var lastSettled: UInt64 = 0

  init(_ key: Key) { self.key = key }

  /// Whether it can be forgotten when no entry holds it: nothing is pending, and nothing was settled.
  var isForgettable: Bool { true }
  /// Whether a write that edits it runs.
  var isPending: Bool { false }

  /// Forgets that edits were settled; those that wait for earlier ones are forgotten, too.
  func forgetSettled() {}
  /// Settles the layers of a write.
  func settle(_ write: Int, at number: UInt64) {}
  /// Takes the layers of a write away.
  func drop(_ write: Int) {}
}

/// What a store knows of one entity: the newest whole, the newer rows, and the edits above them.
final class EntityRecordOf<Whole: Entity>: EntityRecord {
  typealias Row = (type: ObjectIdentifier, value: any EntityView<Whole>, number: UInt64)

  /// What is known, or shown, of the entity at one moment.
  struct Shape {
    var whole: Whole?
    /// The rows, of which the whole is not known.
    var rows: [Row] = []
    var isRemoved = false

    func view<View: EntityView>(_: View.Type) -> View? where View.Whole == Whole {
      if let whole { return View(whole) }
      return rows.first { $0.type == ObjectIdentifier(View.self) }?.value as? View
    }

    mutating func set<View: EntityView>(_ view: View) where View.Whole == Whole {
      isRemoved = false
      if whole != nil {
        view.apply(to: &whole!)
      } else if let view = view as? Whole {
        (whole, rows) = (view, [])
      } else {
        let type = ObjectIdentifier(View.self)
        let index = rows.firstIndex { $0.type == type } ?? rows.endIndex
        rows.replaceSubrange(index..<min(index + 1, rows.count), with: [(type, view, UInt64(0))])
      }
    }

    mutating func remove() { self = Shape(isRemoved: true) }
  }

  /// An edit of a write.
  struct Layer {
    let write: Int
    /// Changes the shape; returns false if what it would change is not known.
    let change: (inout Shape) -> Bool
    /// The number at which its write has succeeded; `nil` while it runs.
    var settledAt: UInt64?
  }

  private var whole: Whole?
  /// The number of the whole's request.
  private var number: UInt64 = 0
  /// The rows that are newer than the whole, or stand for it; the oldest first.
  private var rows: [Row] = []
  private var layers: [Layer] = []
  /// Whether it was removed; a value that was requested later brings it back.
  private var isRemoved = false
  /// The number of the last removal, also when it has come back since: older values are of what was removed.
  private var removedAt: UInt64 = 0

  override var isForgettable: Bool { layers.isEmpty && lastSettled == 0 }
  override var isPending: Bool { layers.contains { $0.settledAt == nil } }

  /// What the server is known to say.
  private var base: Shape { shape(with: rows) }

  private func shape(with rows: [Row]) -> Shape {
    guard var whole else { return Shape(rows: rows, isRemoved: isRemoved) }
    for row in rows { row.value.apply(to: &whole) }
    return Shape(whole: whole)
  }

  /// What the server is known to say, with the edits that are pending.
  var shown: Shape {
    var shape = base
    for layer in layers { _ = layer.change(&shape) }
    return shape
  }

  /// Takes a value of the server, unless what is known is newer; returns whether what is shown has changed.
  ///
  /// - Parameter number: The number of the value's request.
  func receive<View: EntityView>(_ value: View, at number: UInt64) -> Bool
  where View.Whole == Whole {
    let type = ObjectIdentifier(View.self)
    let index = rows.firstIndex { $0.type == type }
    let asWhole = View.self == Whole.self ? value as? Whole : nil
    guard number > removedAt else { return false }
    let isKnown = isRemoved || whole != nil || asWhole == nil && index != nil
    if isKnown {
      guard number > lastSettled, whole == nil || number >= self.number,
        asWhole != nil || index.map({ rows[$0].number <= number }) ?? true
      else { return false }
    }
    let before = entries.isEmpty ? nil : shown
    // The value includes the edits that were settled before; of what it does not hold, they are the newest.
    absorb(before: number) { layer in
      var arrived = Shape(rows: [(type, value, number)])
      return asWhole != nil || layer.change(&arrived)
    }
    isRemoved = false
    if let asWhole {
      (whole, self.number) = (asWhole, number)
      rows.removeAll { $0.number <= number }
      if let newest = rows.last?.number { absorb(before: newest) { _ in false } }
    } else {
      rows.removeAll { $0.type == type }
      let place = rows.firstIndex { $0.number > number } ?? rows.endIndex
      rows.insert((type, value, number), at: place)
    }
    fold()
    return before.map { !isSame($0, shown, as: View.self) } ?? true
  }

  private func isSame<View: EntityView>(_ lhs: Shape, _ rhs: Shape, as: View.Type) -> Bool
  where View.Whole == Whole {
    guard lhs.isRemoved == rhs.isRemoved else { return false }
    switch (lhs.whole, rhs.whole) {
    case (let left?, let right?): return left == right
    case (nil, nil): return lhs.view(View.self) == rhs.view(View.self)
    default: return false
    }
  }

  // MARK: Edits

  func add(_ write: Int, _ change: @escaping (inout Shape) -> Bool) {
    layers.append(Layer(write: write, change: change))
  }

  override func settle(_ write: Int, at number: UInt64) {
    for index in layers.indices where layers[index].write == write {
      layers[index].settledAt = number
      lastSettled = max(lastSettled, number)
    }
    fold()
  }

  override func forgetSettled() {
    guard !isPending else { return }
    (lastSettled, removedAt) = (0, 0)
    layers = []
  }

  /// Settles a write with the value that its response holds.
  func settle<View: EntityView>(_ write: Int, at number: UInt64, with value: View)
  where View.Whole == Whole {
    layers.removeAll { $0.write == write }
    _ = receive(value, at: number)
    lastSettled = max(lastSettled, number)
  }

  override func drop(_ write: Int) {
    layers.removeAll { $0.write == write }
    fold()
  }

  /// Makes the settled edits part of what is known, up to the first one that is pending.
  ///
  /// One whose value is not known yet waits for it.
  private func fold() {
    var waiting: [Layer] = []
    while let layer = layers.first, layer.settledAt != nil {
      layers.removeFirst()
      if !absorb(layer) { waiting.append(layer) }
    }
    layers = waiting + layers
  }

  /// Makes the edits part of what is known that were settled before a value's request.
  ///
  /// - Parameter isIncluded: Returns whether the value includes an edit of what was not known.
  private func absorb(before number: UInt64, unless isIncluded: (Layer) -> Bool) {
    layers.removeAll { layer in
      guard let settledAt = layer.settledAt, settledAt < number else { return false }
      return absorb(layer) || isIncluded(layer)
    }
  }

  /// Makes an edit part of what is known; returns false if what it changes is not known.
  private func absorb(_ layer: Layer) -> Bool {
    guard let settledAt = layer.settledAt else { return false }
    let newer = rows.filter { $0.number > settledAt }
    var shape = shape(with: rows.filter { $0.number <= settledAt })
    // Of what was removed, there is nothing to change.
    guard layer.change(&shape) || shape.isRemoved else { return false }
    whole = shape.whole
    rows = shape.rows.map { ($0.type, $0.value, max($0.number, settledAt)) }
    for row in newer {
      rows.removeAll { $0.type == row.type }
      rows.append(row)
    }
    isRemoved = shape.isRemoved && rows.isEmpty
    if shape.isRemoved { removedAt = max(removedAt, settledAt) }
    return true
  }
}
