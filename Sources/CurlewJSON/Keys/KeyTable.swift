/// The cache of a key type: the slot of each key that was ever requested, by the key's bytes in JSON texts.
///
/// The slots are in the order of the first requests, because a type usually requests its keys in this order again. A
/// table finds all members in a single pass over an object's keys, in any order, and each lookup takes constant time.
final class KeyTable {
  /// A key as in JSON texts.
  fileprivate struct Entry {
    /// The key's ``KeyWord/fingerprint``; 0 in an empty entry.
    var fingerprint: UInt32 = 0
    /// The key's slot, or ``ignored``.
    var slot: Int32 = 0
    var bytes = UnsafeRawPointer(bitPattern: 8)!
  }

  fileprivate static let ignored: Int32 = -1
  /// The maximum number of slots.
  private static let maximumSlots = 256
  /// The maximum number of cached keys without a slot, to bound the memory for hostile texts.
  private static let maximumIgnored = 1_024

  /// The state used at each access, in its own memory: access to a class's properties has exclusivity checks.
  struct State {
    unowned(unsafe) let table: KeyTable
    /// The ``ContainerFactory`` of the key type.
    unowned(unsafe) let factory: AnyObject
    /// Whether keys of this type have slots.
    let hasSlots: Bool
    /// The name of each slot's key.
    fileprivate(set) var names: [String] = []
    /// A list of unused frames.
    var unusedFrames: UnsafeMutablePointer<KeyedFrame.State>?

    fileprivate var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 32)
    fileprivate var capacity = 32
    fileprivate let convertsSnakeCase: Bool
  }

  let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  private let factory: AnyObject
  /// The number of frames that are kept for reuse.
  var frameCount = 0

  /// The number of entries that are not empty.
  private var count = 0
  /// The memory of the entries' key bytes.
  private var texts: [UnsafeMutableRawPointer] = []

  /// The slots by the names of their keys.
  private var slots: [String: Int32] = [:]
  /// The converted keys without a slot, with their spellings in texts.
  private var unasked: [String: [[UInt8]]] = [:]
  private var unaskedCount = 0

  init(hasSlots: Bool, convertsSnakeCase: Bool, factory: AnyObject) {
    self.factory = factory
    state.initialize(
      to: State(
        table: self, factory: factory, hasSlots: hasSlots, convertsSnakeCase: convertsSnakeCase))
    state.pointee.entries.initialize(repeating: Entry(), count: state.pointee.capacity)
  }

  deinit {
    // The frames retain themselves.
    while let frame = state.pointee.unusedFrames {
      state.pointee.unusedFrames = frame.pointee.next
      frame.drop()
    }
    state.pointee.entries.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
    texts.forEach { $0.deallocate() }
  }

  /// Whether more frames may be kept: up to two for each level of nesting.
  var keepsMoreFrames: Bool { frameCount < 1_024 }

  /// Returns the slot of a key, a new one at its first request; `nil` if it has none: it is not plain, or too many
  /// have slots.
  func slot(of name: String) -> Int? {
    guard state.pointee.hasSlots else { return nil }
    if let slot = slots[name] { return Int(slot) }
    let slot = state.pointee.names.count
    guard slot < Self.maximumSlots, name.utf8.count < Int(KeyWord.odd),
      name.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    let spellings =
      state.pointee.convertsSnakeCase
      ? unasked.removeValue(forKey: name) ?? [] : [Array(name.utf8)]
    for text in spellings { insert(text, Int32(slot)) }
    slots[name] = Int32(slot)
    state.pointee.names.append(name)
    return slot
  }

  /// Sets the slot of a key.
  private func insert(_ bytes: [UInt8], _ slot: Int32) {
    let text = UnsafeMutableRawPointer.allocate(byteCount: max(8, bytes.count), alignment: 8)
    bytes.withUnsafeBytes {
      text.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(text), byteCount: $0.count)
    }
    let fingerprint = bytes.withUnsafeBytes { KeyFingerprint.make(of: $0) }
    let entry = state.entry(of: fingerprint, text)
    let isNew = entry.pointee.fingerprint == 0
    texts.append(text)
    entry.pointee = Entry(fingerprint: fingerprint, slot: slot, bytes: UnsafeRawPointer(text))
    count += isNew ? 1 : 0
    if count * 4 > state.pointee.capacity { grow() }
  }

  private func grow() {
    let old = UnsafeMutableBufferPointer(
      start: state.pointee.entries, count: state.pointee.capacity)
    state.pointee.capacity *= 2
    state.pointee.entries = .allocate(capacity: state.pointee.capacity)
    state.pointee.entries.initialize(repeating: Entry(), count: state.pointee.capacity)
    for entry in old where entry.fingerprint != 0 {
      state.entry(of: entry.fingerprint, entry.bytes).pointee = entry
    }
    old.deallocate()
  }

  /// Converts a new key from snake case; returns its slot.
  @inline(never)
  fileprivate func convert(_ key: KeyWord, _ text: UnsafeRawPointer) -> Int32 {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: text + key.offset, count: key.length))
    let name = SnakeCase.camelCase(String(decoding: bytes, as: UTF8.self))
    if let slot = slots[name] {
      // Limited, because a text can contain any number of spellings of a key: `foo__bar`, `FOO_bar`.
      if count < 2 * Self.maximumIgnored { insert(bytes, slot) }
      return slot
    }
    if unaskedCount < Self.maximumIgnored {
      unaskedCount += 1
      unasked[name, default: []].append(bytes)
      insert(bytes, Self.ignored)
    }
    return Self.ignored
  }
}

// On the pointer, not the state, because converting keys changes the state during these calls.
extension UnsafeMutablePointer where Pointee == KeyTable.State {
  /// Finds the value of each slot: the first member with the slot's key.
  ///
  /// - Parameters:
  ///   - found: The indices of values in the tape, by slot; initially 0.
  ///   - tape: The text's tape.
  ///   - object: The index of an object with only plain keys.
  @inline(__always)
  func find(
    _ found: UnsafeMutablePointer<UInt32>, in tape: UnsafeMutablePointer<Tape>, at object: Int
  ) {
    let tape = tape.pointee
    let end = tape[object].offset
    var index = object &+ 1
    while index < end {
      let key = KeyWord(bits: tape.words[index])
      var slot = KeyTable.ignored
      let entry = entry(of: key.fingerprint, tape.bytes + key.offset)
      if entry.pointee.fingerprint != 0 {
        slot = entry.pointee.slot
      } else if _slowPath(pointee.convertsSnakeCase) {
        slot = pointee.table.convert(key, tape.bytes)
      }
      if slot >= 0, found[Int(slot)] == 0 {
        found[Int(slot)] = UInt32(truncatingIfNeeded: index &+ 1)
      }
      index = tape.index(after: index &+ 1)
    }
  }

  /// Returns the entry of a key, or the empty entry for inserting it.
  @inline(__always)
  fileprivate func entry(
    of fingerprint: UInt32, _ bytes: UnsafeRawPointer
  ) -> UnsafeMutablePointer<KeyTable.Entry> {
    let (entries, mask) = (pointee.entries, pointee.capacity &- 1)
    var index = Int(fingerprint &>> 8) & mask
    while entries[index].fingerprint != 0 {
      if entries[index].fingerprint == fingerprint,
        entries[index].bytes.hasBytes(of: bytes, count: Int(fingerprint & 0xFF))
      {
        break
      }
      index = (index &+ 1) & mask
    }
    return entries + index
  }
}
