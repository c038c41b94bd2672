/// A decoder's cache of type information, kept for later texts.
final class TypeCache {
  /// A map by type, whose first level needs no hashing.
  private struct Map<Value> {
    private var recent: [(type: ObjectIdentifier, value: Value)?] = []
    private var all: [ObjectIdentifier: Value] = [:]

    @inline(__always)
    mutating func value(for type: Any.Type, make: () -> Value) -> Value {
      let id = ObjectIdentifier(type)
      let index = Int(bitPattern: id) >> 4 & 63
      if index < recent.count, let recent = recent[index], recent.type == id {
        return recent.value
      }
      return remember(id, at: index, make: make)
    }

    @inline(never)
    private mutating func remember(
      _ id: ObjectIdentifier, at index: Int, make: () -> Value
    ) -> Value {
      if recent.isEmpty { recent = Array(repeating: nil, count: 64) }
      let value = all[id] ?? make()
      all[id] = value
      recent[index] = (id, value)
      return value
    }
  }

  private struct Maps {
    var collections = Map<(any DirectCollection.Type)?>()
    var tables = Map<UnsafeMutablePointer<KeyTable.State>>()
    var snakeCaseTables = Map<UnsafeMutablePointer<KeyTable.State>>()
    var customTables = Map<UnsafeMutablePointer<KeyTable.State>>()
  }

  /// Retains the tables.
  ///
  /// The maps store only addresses, because reference counting is slower than the lookup.
  private var owned: [KeyTable] = []
  private let maps = UnsafeMutablePointer<Maps>.allocate(capacity: 1)

  init() { maps.initialize(to: Maps()) }

  deinit {
    maps.deinitialize(count: 1)
    maps.deallocate()
  }

  /// Returns the type if it is a list or dictionary that decodes without containers; otherwise `nil`.
  @inline(__always)
  func collection(_ type: Any.Type) -> (any DirectCollection.Type)? {
    maps.pointee.collections.value(for: type) { type as? any DirectCollection.Type }
  }

  /// Returns the table of a key type.
  @inline(__always)
  func table<Key: CodingKey>(
    _ type: Key.Type, _ style: Settings.KeyStyle
  ) -> UnsafeMutablePointer<KeyTable.State> {
    switch style {
    case .same: maps.pointee.tables.value(for: type) { makeTable(type, style) }
    case .snakeCase: maps.pointee.snakeCaseTables.value(for: type) { makeTable(type, style) }
    case .custom: maps.pointee.customTables.value(for: type) { makeTable(type, style) }
    }
  }

  private func makeTable<Key: CodingKey>(
    _ type: Key.Type, _ style: Settings.KeyStyle
  ) -> UnsafeMutablePointer<KeyTable.State> {
    let table = KeyTable(
      hasSlots: MemoryLayout<Key>.size <= 1 && style != .custom,
      convertsSnakeCase: style == .snakeCase, factory: ContainerFactory<Key>.standard())
    owned.append(table)
    return table.state
  }
}
