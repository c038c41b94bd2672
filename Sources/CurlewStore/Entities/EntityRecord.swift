import Curlew
import CurlewScreens

/// A store's record of one entity, independent of the entity's type.
class EntityRecord {
  struct Key: Hashable {
    let type: ObjectIdentifier
    let id: AnyHashable
    let account: Bytewise?

    init<View: EntityView>(_: View.Type, _ id: View.ID, _ account: String?) {
      (type, self.id) = (ObjectIdentifier(View.Whole.self), AnyHashable(id))
      self.account = account.map(Bytewise.init)
    }
  }

  let key: Key
  fileprivate unowned let tables: StoreTables
  /// The index of the entity among the entities of each entry whose value contains it, by the entry's id; `nil` if the
  /// value contains the entity several times.
  var entries: [Int: Int?] = [:]
  /// The requests whose lists the entity was inserted into, or removed from.
  var lists: Set<RequestKey> = []

  init(_ key: Key, in tables: StoreTables) { (self.key, self.tables) = (key, tables) }

  /// Whether no edit is pending or was settled, so that the record can be discarded when no entry contains the entity.
  var isForgettable: Bool { true }

  /// Forgets the settled edits, including edits whose value is unknown; does nothing while an edit is pending.
  func forgetSettled() {}
  func settle(_ write: Int, at number: UInt64) {}
  func drop(_ write: Int) {}
}

/// A store's record of one entity: the newest whole value, the newer rows, and the edits above them.
final class EntityRecordOf<Whole: Entity>: EntityRecord {
  typealias Row = (type: ObjectIdentifier, value: any EntityView<Whole>, number: UInt64)

  /// The known or shown state of the entity at one moment.
  struct Shape {
    var whole: Whole?
    /// The rows, while the whole is unknown.
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

  struct Edit {
    /// Changes the shape; returns false if the value to change is unknown.
    let change: (inout Shape) -> Bool
    /// The number of the write's request, if its response was stored and differs from the edit.
    var response: UInt64?
  }

  private typealias Layer = Edits<Int, Edit>.Layer

  private var whole: Whole?
  /// The number of the whole's request, or of the last settled edit that is part of the known state.
  private var number: UInt64 = 0
  /// The rows that are newer than the whole, or replace an unknown whole; the oldest first.
  private var rows: [Row] = []
  var edits = Edits<Int, Edit>()
  /// Whether the entity was removed; a value requested later restores it.
  private var isRemoved = false
  /// The number of the last removal, even if the entity was restored since: older values are of the removed entity.
  private var removedAt: UInt64 = 0
  /// The number of the newest value's request.
  private var newest: UInt64 = 0
  /// The number of the last settled edit; zero without a settled edit.
  private var lastSettled: UInt64 = 0

  override var isForgettable: Bool { edits.layers.isEmpty && lastSettled == 0 }

  private var base: Shape { shape(with: rows) }

  private func shape(with rows: [Row]) -> Shape {
    guard var whole else { return Shape(rows: rows, isRemoved: isRemoved) }
    for row in rows { row.value.apply(to: &whole) }
    return Shape(whole: whole)
  }

  /// The server's last known state, with the pending edits.
  var shown: Shape {
    var shape = base
    for layer in edits.layers where !isIncluded(layer) { _ = layer.edit.change(&shape) }
    return shape
  }

  func view<View: EntityView>(_: View.Type) -> View? where View.Whole == Whole {
    // Most rows of a long list have neither edits nor newer rows.
    if let whole, rows.isEmpty, edits.layers.isEmpty { return View(whole) }
    return shown.view(View.self)
  }

  /// Returns whether the newest known value is the response to an edit's write.
  private func isIncluded(_ layer: Layer) -> Bool {
    layer.edit.response.map { $0 == newest } ?? false
  }

  /// Stores a value from the server with its request's number, unless a newer value is known; returns whether the shown
  /// state has changed.
  ///
  /// - Parameter write: The write whose response contains the value. The edits that were settled since its request stay
  ///   above the value; any other value from before the last settled edit is ignored.
  @discardableResult
  func receive<View: EntityView>(_ value: View, at number: UInt64, from write: Int? = nil) -> Bool
  where View.Whole == Whole {
    let type = ObjectIdentifier(View.self)
    let index = rows.firstIndex { $0.type == type }
    let asWhole = View.self == Whole.self ? value as? Whole : nil
    guard number > removedAt else { return false }
    let isKnown = isRemoved || whole != nil || asWhole == nil && index != nil
    if isKnown {
      guard number >= self.number, write != nil || number > lastSettled,
        asWhole != nil || index.map({ rows[$0].number <= number }) ?? true
      else { return false }
    }
    let before = entries.isEmpty ? nil : shown
    // The value includes the edits settled before its request. For fields outside the value, those edits are
    // the newest.
    mergeSettled(before: number) { layer in
      var arrived = Shape(rows: [(type, value, number)])
      return asWhole != nil || layer.edit.change(&arrived)
    }
    isRemoved = false
    newest = max(newest, number)
    if let asWhole {
      (whole, self.number) = (asWhole, max(self.number, number))
      rows.removeAll { $0.number <= number }
      if let newest = rows.last?.number { mergeSettled(before: newest) { _ in false } }
    } else {
      rows.removeAll { $0.type == type }
      let index = rows.firstIndex { $0.number > number } ?? rows.endIndex
      rows.insert((type, value, number), at: index)
    }
    if let write {
      // Edits that the response confirms stay, too, because an edit beneath them may change the same fields.
      var edited = base
      for layer in edits.layers where layer.id == write { _ = layer.edit.change(&edited) }
      if !isSame(base, edited, as: View.self) { edits.update(write) { $0.edit.response = number } }
    }
    fold()
    return before.map { !isSame($0, shown, as: View.self) } ?? true
  }

  private func isSame<View: EntityView>(_ lhs: Shape, _ rhs: Shape, as: View.Type) -> Bool
  where View.Whole == Whole {
    lhs.isRemoved == rhs.isRemoved && lhs.whole == rhs.whole
      && (lhs.whole != nil || lhs.view(View.self) == rhs.view(View.self))
  }

  // MARK: Edits

  override func settle(_ write: Int, at number: UInt64) {
    edits.update(write) { $0.settledAt = number }
    lastSettled = max(lastSettled, number)
    fold()
  }

  override func forgetSettled() {
    guard edits.layers.allSatisfy({ $0.settledAt != nil }) else { return }
    for layer in edits.layers { _ = merge(layer) }
    (lastSettled, removedAt, edits.layers) = (0, 0, [])
  }

  override func drop(_ write: Int) {
    edits.drop(write)
    fold()
  }

  /// Merges the settled edits into the known state, up to the first pending edit, and up to the first edit that was settled
  /// after a running write was sent, whose response may not contain that edit; an edit of an unknown value waits.
  private func fold() {
    guard edits.layers.first?.settledAt != nil else { return }
    let settled = edits.takeSettled(before: tables.firstSent)
    edits.layers.insert(contentsOf: settled.filter { !merge($0) }, at: 0)
  }

  /// Merges the edits that were settled before a value's request into the known state, unless the value includes an edit of
  /// an unknown value.
  private func mergeSettled(before number: UInt64, unless isIncluded: (Layer) -> Bool) {
    edits.layers.removeAll { layer in
      layer.isSettled(before: number) && (merge(layer) || isIncluded(layer))
    }
  }

  /// Merges an edit into the known state; returns false if the value to change is unknown.
  private func merge(_ layer: Layer) -> Bool {
    guard let settledAt = layer.settledAt else { return false }
    if isIncluded(layer) {
      number = max(number, settledAt)
      return true
    }
    let newer = rows.filter { $0.number > settledAt }
    var shape = shape(with: rows.filter { $0.number <= settledAt })
    // A removed entity has no fields to change.
    guard layer.edit.change(&shape) || shape.isRemoved else { return false }
    number = max(number, settledAt)
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
