/// The location of entities in a store's value.
///
/// ```swift
/// StoreEntry(GitHub.repositories(of: owner), entities: .each(\.items)) { Page(payload: $0) }
/// ```
public struct EntityPath<Value: Sendable>: Sendable {
  /// Passes a value's entities to the store, and returns their records.
  let receive: @Sendable (Value, borrowing Arrival) -> [EntityRecord]
  /// Replaces a value's entities by their shown state; returns false if the value is a removed entity.
  ///
  /// It takes the records from the front. After a removal, the value's own copy is ignored.
  let show: @Sendable (inout Value, inout ArraySlice<EntityRecord>, [ListEdit]) -> Bool

  /// A value received from the server.
  struct Arrival: ~Copyable {
    let tables: StoreTables
    let account: String?
    let number: UInt64

    func receive<View: EntityView>(_ view: View) -> EntityRecord {
      let record = tables.record(of: View.self, view.id, account)
      if record.receive(view, at: number) { tables.touch(record) }
      return record
    }
  }

  /// Returns the location of an entity that the value always has, such as the value itself: `\.self`.
  public static func one<View: EntityView>(
    _ path: any WritableKeyPath<Value, View> & Sendable
  ) -> Self {
    Self { value, arrival in
      [arrival.receive(value[keyPath: path])]
    } show: { value, records, _ in
      guard let record = records.popFirst() as? EntityRecordOf<View.Whole> else { return true }
      guard let view = record.shown.view(View.self) else { return false }
      value[keyPath: path] = view
      return true
    }
  }

  /// Returns the location of an entity that the value may have.
  public static func one<View: EntityView>(
    _ path: any WritableKeyPath<Value, View?> & Sendable
  ) -> Self {
    Self { value, arrival in
      value[keyPath: path].map { [arrival.receive($0)] } ?? []
    } show: { value, records, _ in
      guard value[keyPath: path] != nil,
        let record = records.popFirst() as? EntityRecordOf<View.Whole>
      else { return true }
      value[keyPath: path] = record.shown.view(View.self)
      return true
    }
  }

  /// Returns the location of a list's entities; removed entities are omitted.
  public static func each<View: EntityView>(
    _ path: any WritableKeyPath<Value, [View]> & Sendable
  ) -> Self {
    Self { value, arrival in
      value[keyPath: path].map { arrival.receive($0) }
    } show: { value, records, edits in
      let views = value[keyPath: path]
      var shown: [View] = []
      shown.reserveCapacity(views.count)
      for _ in views {
        guard let record = records.popFirst() as? EntityRecordOf<View.Whole> else { break }
        if let view = record.shown.view(View.self) { shown.append(view) }
      }
      for edit in edits {
        guard let record = edit.record as? EntityRecordOf<View.Whole>,
          let view = record.shown.view(View.self)
        else { continue }
        if let index = edit.index {
          guard !shown.contains(where: { $0.id == view.id }) else { continue }
          shown.insert(view, at: min(max(0, index), shown.count))
        } else {
          shown.removeAll { $0.id == view.id }
        }
      }
      value[keyPath: path] = shown
      return true
    }
  }
}

/// An entity that a write inserts into an entry's list, or removes from it.
struct ListEdit {
  let write: Int
  var record: EntityRecord
  /// The index of the insertion; `nil` for a removal.
  let index: Int?
  /// The number at which the write has succeeded; `nil` while it runs.
  var settledAt: UInt64?
}
