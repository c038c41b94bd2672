/// An object that is being decoded; a keyed container refers to it.
///
/// When its value is decoded and its container was not retained, a frame is reused for other objects.
final class KeyedFrame {
  /// The state used at each access, in its own memory: access to a class's properties has exclusivity checks.
  struct State {
    unowned(unsafe) let frame: KeyedFrame
    let table: UnsafeMutablePointer<KeyTable.State>
    /// The next frame in a list: the decoder's open frames, or the table's unused frames.
    var next: UnsafeMutablePointer<State>?
    /// The frame itself, retained for reuse.
    fileprivate var own: KeyedFrame?
    unowned(unsafe) var decoder: TapeDecoder
    var tape: UnsafeMutablePointer<Tape>
    /// The index of the object in the tape.
    var object = 0
    /// The object's node in the coding path.
    var node = CodingPath.root
    /// For each slot of the table, the index of the value; 0 if missing.
    var found = UnsafeMutablePointer<UInt32>.allocate(capacity: 16)
    var slotCount = 0
    /// The slot after the last requested one.
    var nextSlot = 0
    fileprivate var capacity = 16
    /// Whether the members were indexed by name.
    fileprivate var hasMembers = false
  }

  let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  /// The decoder, retained when the frame outlives its value.
  private var owner: TapeDecoder?
  /// The path to the object, if it differs from the node's path.
  private var path: [any CodingKey]?
  /// The members by name, if they were needed.
  private var members: [String: Int]? {
    didSet { state.pointee.hasMembers = members != nil }
  }

  init(_ decoder: TapeDecoder, _ table: UnsafeMutablePointer<KeyTable.State>) {
    state.initialize(
      to: State(frame: self, table: table, decoder: decoder, tape: decoder.tape))
  }

  private var table: KeyTable { state.pointee.table.pointee.table }

  @inline(__always)
  var decoder: TapeDecoder { state.pointee.decoder }

  deinit {
    state.pointee.found.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  @inline(__always)
  var tape: Tape { state.pointee.tape.pointee }

  // MARK: - Reuse

  /// Releases the members, which may be many, until the frame is reused.
  func forgetMembers() { members = nil }

  /// Retains this frame for reuse.
  func keep() {
    state.pointee.own = self
    table.frameCount += 1
  }

  // MARK: - Keys

  /// Returns the index of a member's value by name; 0 if there is none.
  @inline(__always)
  func index(of name: String) -> Int {
    let slot = state.pointee.nextSlot
    guard
      _fastPath(slot < state.pointee.slotCount && state.pointee.table.pointee.names[slot] == name)
    else { return indexOutOfOrder(name) }
    state.pointee.nextSlot = slot &+ 1
    return Int(state.pointee.found[slot])
  }

  /// Returns the index of a value that is requested again, or not in the order of the slots.
  @inline(never)
  private func indexOutOfOrder(_ name: String) -> Int {
    let last = state.pointee.nextSlot - 1
    if last >= 0, table.state.pointee.names[last] == name { return Int(state.pointee.found[last]) }
    let isPlain = tape[state.pointee.object].kind == Word.Kind.object
    guard isPlain, let slot = table.slot(of: name) else { return search(name) }
    if slot >= state.pointee.slotCount { state.findSlots() }
    state.pointee.nextSlot = slot + 1
    return Int(state.pointee.found[slot])
  }

  /// Returns the index of the value of a key without a slot; 0 if there is none.
  func search(_ name: String) -> Int {
    let tape = decoder.tape.pointee
    let object = tape[state.pointee.object]
    let isPlain = object.kind == Word.Kind.object
    if isPlain, members == nil, object.length <= 8, decoder.state.pointee.keyStyle == .same,
      name.utf8.allSatisfy({ $0 < 0x80 })
    {
      return first(name)
    }
    return (try? makeMembers())?[name] ?? 0
  }

  /// Returns the index of the first value of an ASCII name.
  private func first(_ name: String) -> Int {
    var name = name
    let tape = decoder.tape.pointee
    let start = state.pointee.object
    return name.withUTF8 { name in
      let fingerprint = KeyFingerprint.make(of: UnsafeRawBufferPointer(name))
      guard name.count < Int(KeyWord.odd) else { return 0 }
      var index = start + 1
      while index < tape[start].offset {
        let key = KeyWord(bits: tape.words[index])
        if key.fingerprint == fingerprint,
          UnsafeRawBufferPointer(start: tape.bytes + key.offset, count: key.length)
            .elementsEqual(name)
        {
          return index + 1
        }
        index = tape.index(after: index + 1)
      }
      return 0
    }
  }

  /// The members by name, after key conversion; the first of equal names.
  func makeMembers() throws -> [String: Int] {
    if let members { return members }
    let object = state.pointee.object
    let end = decoder.tape.pointee[object].offset
    var members = [String: Int](minimumCapacity: decoder.tape.pointee[object].length)
    let convert = decoder.settings.keyConversion(at: { self.codingPath })
    var index = object + 1
    while index < end {
      let key = KeyWord(bits: decoder.tape.pointee.words[index])
      guard let text = decoder.tape.pointee.string(key) else {
        throw decoder.malformed(decoder.tape.pointee.stringFault(at: key.offset), at: codingPath)
      }
      let name = convert?(text) ?? text
      if members[name] == nil { members[name] = index + 1 }
      index = decoder.tape.pointee.index(after: index + 1)
    }
    self.members = members
    return members
  }

  /// The distinct names of the members, in order.
  var names: [String] {
    ((try? makeMembers()) ?? [:]).sorted { $0.value < $1.value }.map(\.key)
  }

  // MARK: - Coding paths

  var codingPath: [any CodingKey] {
    path ?? decoder.codingPath(to: state.pointee.node)
  }

  /// The object's node, to which the nodes of its members are added.
  @inline(__always)
  var node: Int32 {
    guard _slowPath(path != nil), let path else { return state.pointee.node }
    return decoder.state.pointee.path.add(path)
  }

  /// Makes the frame independent of the current value, because its container may outlive it.
  func detach(at path: [any CodingKey]) {
    self.path = path
    state.pointee.node = CodingPath.root
    owner = decoder
    guard state.pointee.own != nil else { return }
    table.frameCount -= 1
    state.drop()
  }
}

// On the pointer, not the state, because the frame changes its state during these calls.
extension UnsafeMutablePointer where Pointee == KeyedFrame.State {
  /// Opens an object; throws if one of its keys is not a valid string.
  @inline(__always)
  func open(_ object: Int, at node: Int32, by decoder: TapeDecoder) throws {
    pointee.decoder = decoder
    pointee.tape = decoder.tape
    pointee.object = object
    pointee.node = node
    pointee.slotCount = 0
    pointee.nextSlot = 0
    if _fastPath(decoder.tape.pointee[object].kind == Word.Kind.object) {
      if pointee.table.pointee.hasSlots { findSlots() }
    } else {
      _ = try pointee.frame.makeMembers()
    }
  }

  @inline(__always)
  fileprivate func findSlots() {
    let table = pointee.table
    let count = table.pointee.names.count
    if _slowPath(count > pointee.capacity) { grow(count) }
    pointee.slotCount = count
    let found = pointee.found
    found.update(repeating: 0, count: count)
    table.find(found, in: pointee.tape, at: pointee.object)
  }

  private func grow(_ count: Int) {
    pointee.found.deallocate()
    (pointee.found, pointee.capacity) = (.allocate(capacity: count), count)
  }

  /// Releases the frame, which only its container may retain from now on.
  func drop() { pointee.own = nil }

  /// Returns the frame to the table unless a container retains it; returns whether it did.
  @inline(__always)
  func close() -> Bool {
    guard isKnownUniquelyReferenced(&pointee.own) else { return false }
    if _slowPath(pointee.hasMembers) { pointee.frame.forgetMembers() }
    pointee.next = pointee.table.pointee.unusedFrames
    pointee.table.pointee.unusedFrames = self
    return true
  }
}
