/// A JSON text and the words that describe its structure.
///
/// The words are in manually allocated memory, to avoid checks at each access. All indices in it are written by the
/// scanner, which ensures that they are inside the text.
struct Tape {
  /// The text, owned by the caller of `decode` until ``ownBytes()``.
  var bytes = UnsafeRawPointer(bitPattern: 8)!
  var byteCount = 0
  private var owned: UnsafeMutableRawPointer?

  private(set) var words = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
  private(set) var capacity = 64
  /// The index of a word for null, after all others.
  private(set) var null = 0

  /// An unfinished object or array.
  struct Open {
    /// The index of its word.
    var header: Int = 0
    /// The number of members so far.
    var members: Int = 0
    var kind: UInt8 = 0
  }

  /// The unfinished objects and arrays while the text is scanned.
  let open = UnsafeMutablePointer<Open>.allocate(capacity: maximumDepth + 1)

  let powers = PowersOfTen.shared
  let seed = KeyFingerprint.seed

  /// Frees all memory.
  func deallocate() {
    words.deallocate()
    open.deallocate()
    owned?.deallocate()
  }

  /// Increases the capacity.
  mutating func grow() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: words, count: capacity)
    words.deallocate()
    (words, capacity) = (larger, capacity * 2)
  }

  mutating func end(at index: Int) {
    words[index] = Word(Word.Kind.null).bits
    null = index
  }

  /// Copies the text, for containers that outlive the caller's data.
  mutating func ownBytes() {
    guard owned == nil else { return }
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, byteCount), alignment: 8)
    copy.copyMemory(from: bytes, byteCount: byteCount)
    owned = copy
    bytes = UnsafeRawPointer(copy)
  }

  /// Releases the text, and memory that only large texts need.
  mutating func reset() {
    byteCount = 0
    bytes = UnsafeRawPointer(bitPattern: 8)!
    if capacity > 128 << 10 {
      words.deallocate()
      (words, capacity) = (.allocate(capacity: 64), 64)
    }
  }

  /// The word at an index.
  @inline(__always)
  subscript(index: Int) -> Word { Word(bits: words[index]) }

  /// Returns the index after the value at an index.
  @inline(__always)
  func index(after index: Int) -> Int {
    let word = self[index]
    if word.kind >= Word.Kind.array { return word.offset }
    return index &+ (word.kind == Word.Kind.number ? 2 : 1)
  }
}
