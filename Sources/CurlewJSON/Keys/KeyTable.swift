/// What is known of a type of keys: the slot of each key that was ever asked for, by the key's bytes in JSON
/// texts.
///
/// A table is for key types whose values are one byte or none, such as the enumerations that the compiler
/// makes; that byte is the slot. With it an object's members are found in one pass over its keys,
/// whatever their order, and each lookup takes constant time.
final class KeyTable {
  /// A key as JSON texts have it.
  private struct Entry {
    /// The key's ``KeyWord/print``; 0 in an empty entry.
    var print: UInt32 = 0
    /// The key's slot, or ``ignored``.
    var slot: Int32 = 0
    var bytes = UnsafeRawPointer(bitPattern: 8)!
  }

  /// A slot whose key was not asked for yet.
  static let unknown = UInt32.max
  private static let ignored: Int32 = -1
  /// How many keys without a slot are remembered, so that no text can fill the memory.
  private static let mostIgnored = 1_024

  /// Whether keys of this type have slots.
  let hasSlots: Bool
  /// Containers that are not in use.
  var containers: [KeyedFrame] = []

  /// For each slot 0, or ``unknown``.
  private(set) var slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
  /// One more than the largest slot that is known.
  private(set) var slotCount = 0

  private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 32)
  private var capacity = 32
  private var count = 0
  /// The memory of the entries' keys.
  private var texts: [UnsafeMutableRawPointer] = []

  /// Where keys are converted from snake case: the slots of converted keys.
  private var converted: [String: Int32]?
  /// The converted keys that have no slot, with the keys that texts have.
  private var unasked: [String: [[UInt8]]] = [:]
  private var unaskedCount = 0

  init(hasSlots: Bool, convertsSnakeCase: Bool) {
    self.hasSlots = hasSlots
    entries.initialize(repeating: Entry(), count: capacity)
    converted = convertsSnakeCase ? [:] : nil
  }

  deinit {
    slots.deallocate()
    entries.deallocate()
    texts.forEach { $0.deallocate() }
  }

  /// Remembers the key of a slot; returns `false` if only a comparison of strings can find it: it is not
  /// plain, or another slot has it.
  func learn(_ slot: UInt8, _ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count < Int(KeyWord.odd), bytes.allSatisfy({ $0 < 0x80 }) else { return false }
    if converted != nil {
      guard converted?.updateValue(Int32(slot), forKey: name) == nil else { return false }
      for text in unasked.removeValue(forKey: name) ?? [] { insert(text, Int32(slot)) }
    } else {
      guard insert(bytes, Int32(slot)) else { return false }
    }
    while slotCount <= Int(slot) {
      slots[slotCount] = Self.unknown
      slotCount += 1
    }
    slots[Int(slot)] = 0
    return true
  }

  /// Notes for each slot where its value is: the first member whose key it has.
  ///
  /// - Parameters:
  ///   - found: For each slot 0; gets the indices of values in the tape.
  ///   - tape: The text.
  ///   - object: The index of an object whose keys are all plain.
  @inline(__always)
  func find(_ found: UnsafeMutablePointer<UInt32>, in tape: borrowing Tape, at object: Int) {
    let end = tape[object].offset
    var index = object &+ 1
    while index < end {
      let key = KeyWord(bits: tape.words[index])
      var slot = Self.ignored
      let entry = entries + self.index(of: key.print, tape.bytes + key.offset)
      if entry.pointee.print != 0 {
        slot = entry.pointee.slot
      } else if _slowPath(converted != nil) {
        slot = convert(key, tape.bytes)
      }
      if slot >= 0, found[Int(slot)] == 0 {
        found[Int(slot)] = UInt32(truncatingIfNeeded: index &+ 1)
      }
      index = tape.index(after: index &+ 1)
    }
  }

  /// Returns the index of the entry of a key, or of the empty one where it would be.
  @inline(__always)
  private func index(of print: UInt32, _ bytes: UnsafeRawPointer) -> Int {
    var index = Int(print &>> 8) & (capacity &- 1)
    while entries[index].print != 0 {
      if entries[index].print == print,
        entries[index].bytes.hasBytes(of: bytes, count: Int(print & 0xFF))
      {
        return index
      }
      index = (index &+ 1) & (capacity &- 1)
    }
    return index
  }

  /// Sets the slot of a key; returns `false` if it has one.
  @discardableResult
  private func insert(_ bytes: [UInt8], _ slot: Int32) -> Bool {
    let text = UnsafeMutableRawPointer.allocate(byteCount: max(8, bytes.count), alignment: 8)
    bytes.withUnsafeBytes {
      text.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(text), byteCount: $0.count)
    }
    texts.append(text)
    let print = bytes.withUnsafeBytes { KeyPrint.make(of: $0) }
    let index = index(of: print, text)
    guard entries[index].print == 0 || entries[index].slot == Self.ignored else { return false }
    let isNew = entries[index].print == 0
    entries[index] = Entry(print: print, slot: slot, bytes: UnsafeRawPointer(text))
    if isNew {
      count += 1
      if count * 4 > capacity { grow() }
    }
    return true
  }

  private func grow() {
    let old = UnsafeBufferPointer(start: entries, count: capacity)
    capacity *= 2
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
    for entry in old where entry.print != 0 {
      entries[index(of: entry.print, entry.bytes)] = entry
    }
    old.deallocate()
  }

  /// Converts a key that was not met before from snake case; returns its slot.
  @inline(never)
  private func convert(_ key: KeyWord, _ text: UnsafeRawPointer) -> Int32 {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: text + key.offset, count: key.length))
    let name = SnakeCase.camelCase(String(decoding: bytes, as: UTF8.self))
    if let slot = converted?[name] {
      insert(bytes, slot)
      return slot
    }
    if unaskedCount < Self.mostIgnored {
      unaskedCount += 1
      unasked[name, default: []].append(bytes)
      insert(bytes, Self.ignored)
    }
    return Self.ignored
  }
}
