/// Where entities are in a value of a store.
///
/// ```swift
/// StoreEntry(GitHub.repositories(of: owner), entities: .each(\.items)) { Page(payload: $0) }
/// ```
public struct EntityPath<Value: Sendable>: Sendable {
  /// Passes the entities of a value to the store, and returns what it knows of each.
  let receive: @Sendable (Value, borrowing Arrival) -> [EntityRecord]
  /// Replaces the entities of a value by what is shown of them; returns false if the value is that of a removed entity.
  ///
  /// It takes the records from the front. After a removal, the value's own copy does not count any more.
  let show: @Sendable (inout Value, inout ArraySlice<EntityRecord>, [ListEdit]) -> Bool

  /// A value that the server has sent.
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

  /// An entity that the value always has, such as the value itself: `\.self`.
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

  /// An entity that the value may have.
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

  /// Each entity of a list; those that are removed are left out.
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

/// An entity that a write inserts into the list of an entry, or takes out of it.
struct ListEdit {
  let write: Int
  var record: EntityRecord
  /// Where it is inserted; `nil` to take it out.
  let index: Int?
  /// The number at which its write has succeeded; `nil` while it runs.
  var settledAt: UInt64?
}
