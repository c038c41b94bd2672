/// The location of entities in a store's value.
///
/// ```swift
/// StoreEntry(GitHub.repositories(of: owner), entities: .each(\.items)) { Page(payload: $0) }
/// ```
public struct EntityPath<Value: Sendable>: Sendable {
  /// Passes a value's entities to the store, and returns their records.
  let receive:
    @Sendable (Value, StoreTables, _ account: String?, _ number: UInt64) -> [EntityRecord]
  /// Replaces a value's entities by their shown state; returns false if the value is a removed entity.
  ///
  /// After a removal, the value's own copy is ignored.
  let show: @Sendable (inout Value, [EntityRecord], [ListEdit]) -> Bool
  /// Replaces one entity of a shown value by its shown state, and returns whether it has changed; returns `nil` if all
  /// entities must be shown again.
  let update: @Sendable (inout Value, borrowing Member) -> Bool?

  struct Member: ~Copyable {
    let record: EntityRecord
    /// The index among the location's received entities, and their number.
    let index: Int
    let count: Int
    /// The number of edits of the list.
    let edits: Int

    func view<View: EntityView>(_: View.Type) -> View? {
      (record as? EntityRecordOf<View.Whole>)?.view(View.self)
    }

    /// The range that contains the entity's index in a shown list with a number of rows: removed entities are omitted,
    /// and edits move the others.
    func indices(in rows: Int) -> Range<Int> {
      let first = max(0, index - max(0, count - rows + edits))
      return first..<max(first, min(rows, index + edits + 1))
    }
  }

  /// Returns the location of an entity that the value always has, such as the value itself: `\.self`.
  public static func one<View: EntityView>(
    _ path: any WritableKeyPath<Value, View> & Sendable
  ) -> Self {
    one {
      $0[keyPath: path]
    } set: { value, view in
      guard let view else { return false }
      value[keyPath: path] = view
      return true
    }
  }

  /// Returns the location of an entity that the value may have.
  public static func one<View: EntityView>(
    _ path: any WritableKeyPath<Value, View?> & Sendable
  ) -> Self {
    one {
      $0[keyPath: path]
    } set: { value, view in
      value[keyPath: path] = view
      return true
    }
  }

  private static func one<View: EntityView>(
    _ get: @escaping @Sendable (Value) -> View?,
    set: @escaping @Sendable (inout Value, View?) -> Bool
  ) -> Self {
    Self { value, tables, account, number in
      get(value).map { [tables.receive($0, account, at: number)] } ?? []
    } show: { value, records, _ in
      guard let record = records.first as? EntityRecordOf<View.Whole> else { return true }
      return set(&value, record.view(View.self))
    } update: { value, member in
      let view = member.view(View.self)
      guard get(value) != view else { return false }
      return set(&value, view) ? true : nil
    }
  }

  /// Returns the location of a list's entities; removed entities are omitted.
  public static func each<View: EntityView>(
    _ path: any WritableKeyPath<Value, [View]> & Sendable
  ) -> Self {
    Self { value, tables, account, number in
      value[keyPath: path].map { tables.receive($0, account, at: number) }
    } show: { value, records, edits in
      var shown: [View] = []
      shown.reserveCapacity(records.count)
      for record in records {
        guard let record = record as? EntityRecordOf<View.Whole> else { break }
        if let view = record.view(View.self) { shown.append(view) }
      }
      for edit in edits {
        guard let record = edit.record as? EntityRecordOf<View.Whole>,
          let view = record.view(View.self)
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
    } update: { value, member in
      let indices = member.indices(in: value[keyPath: path].count)
      let id = member.record.key.id
      let index = indices.first { AnyHashable(value[keyPath: path][$0].id) == id }
      guard let view = member.view(View.self) else {
        // The index of an insertion counts the rows without the removed entity.
        guard member.edits == 0 else { return nil }
        if let index { value[keyPath: path].remove(at: index) }
        return index != nil
      }
      guard let index else { return nil }
      // A list that stays equal is not copied, so that it is compared fast.
      guard value[keyPath: path][index] != view else { return false }
      value[keyPath: path][index] = view
      return true
    }
  }
}

/// An entity that a write inserts into an entry's list, or removes from it.
struct ListEdit {
  var record: EntityRecord
  let index: Int?
}
