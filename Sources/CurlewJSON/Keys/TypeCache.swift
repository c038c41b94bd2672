/// A decoder's cache of type information, kept for later texts.
final class TypeCache {
  /// A map by type, whose hash is the type's address.
  private struct Map<Value> {
    private typealias Entry = (type: ObjectIdentifier, value: Value)
    private var entries: [Entry?] = Array(repeating: nil, count: 4)
    private var count = 0

    @inline(__always)
    mutating func value(for type: Any.Type, make: () -> Value) -> Value {
      let id = ObjectIdentifier(type)
      let index = index(of: id)
      return entries[index]?.value ?? insert((id, make()), at: index)
    }

    /// Returns the index of a type's entry, or of the empty entry for inserting it.
    @inline(__always)
    private func index(of type: ObjectIdentifier) -> Int {
      let mask = entries.count &- 1
      var index = Int(bitPattern: type) >> 4 & mask
      while let entry = entries[index], entry.type != type { index = (index &+ 1) & mask }
      return index
    }

    @inline(never)
    private mutating func insert(_ entry: Entry, at index: Int) -> Value {
      entries[index] = entry
      count += 1
      guard count * 4 > entries.count else { return entry.value }
      let old = entries
      entries = Array(repeating: nil, count: old.count * 2)
      for case let entry? in old { entries[self.index(of: entry.type)] = entry }
      return entry.value
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
      // Types of larger values may have many keys: all names.
      hasSlots: MemoryLayout<Key>.size <= 1 && style != .custom,
      convertsSnakeCase: style == .snakeCase, factory: ContainerFactory<Key>.standard())
    owned.append(table)
    return table.state
  }
}
