/// What a decoder has learned of types; kept for later texts.
final class TypeCache {
  /// A map by type, whose first level finds a type without hashing.
  private struct Map<Value> {
    private var recent: [(type: ObjectIdentifier, value: Value)?] = Array(repeating: nil, count: 64)
    private var all: [ObjectIdentifier: Value] = [:]

    @inline(__always)
    mutating func value(for type: Any.Type, make: () -> Value) -> Value {
      let id = ObjectIdentifier(type)
      let index = Int(bitPattern: id) >> 4 & 63
      if let recent = recent[index], recent.type == id { return recent.value }
      return remember(id, at: index, make: make)
    }

    @inline(never)
    private mutating func remember(
      _ id: ObjectIdentifier, at index: Int, make: () -> Value
    ) -> Value {
      let value = all[id] ?? make()
      all[id] = value
      recent[index] = (id, value)
      return value
    }
  }

  private struct Maps {
    var collections = Map<(any DirectCollection.Type)?>()
    var tables = Map<KeyTable>()
    var snakeCaseTables = Map<KeyTable>()
    var customTables = Map<KeyTable>()
  }

  private let maps = UnsafeMutablePointer<Maps>.allocate(capacity: 1)

  init() { maps.initialize(to: Maps()) }

  deinit {
    maps.deinitialize(count: 1)
    maps.deallocate()
  }

  /// Returns how to decode a list or dictionary without its containers; `nil` for any other type.
  @inline(__always)
  func collection(_ type: Any.Type) -> (any DirectCollection.Type)? {
    maps.pointee.collections.value(for: type) { type as? any DirectCollection.Type }
  }

  /// Returns the table of a type of keys.
  @inline(__always)
  func table<Key: CodingKey>(_ type: Key.Type, _ style: Settings.KeyStyle) -> KeyTable {
    switch style {
    case .same:
      maps.pointee.tables.value(for: type) {
        KeyTable(hasSlots: MemoryLayout<Key>.size <= 1, convertsSnakeCase: false)
      }
    case .snakeCase:
      maps.pointee.snakeCaseTables.value(for: type) {
        KeyTable(hasSlots: MemoryLayout<Key>.size <= 1, convertsSnakeCase: true)
      }
    case .custom:
      maps.pointee.customTables.value(for: type) {
        KeyTable(hasSlots: false, convertsSnakeCase: false)
      }
    }
  }
}
