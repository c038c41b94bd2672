/// An element with a key in a screen's markup: what is compared, sent and replaced on its own.
///
/// Its children are the keyed elements below it with no other keyed element between. Fingerprints
/// stand for the markup, so that a session keeps about 100 bytes for each of its fragments.
package struct Fragment: Sendable {
  /// The longest tag that is kept, in bytes; a longer one is sent as a whole.
  private static let longestTag = 1_024

  /// The `id`, else the `data-key`; empty for the root's content.
  let key: String
  /// The fingerprint of the tag's name.
  let tag: Int
  /// Whether it is the marker of a piece, whose name is the key.
  let isPiece: Bool
  /// The position of its first byte in the markup that it was read from.
  let start: Int
  /// The position behind its last byte.
  private(set) var end: Int
  /// The fingerprint of its own markup, in which each child is only named.
  private(set) var shell = 0
  /// The fingerprint of the text between the sibling before it and itself; `nil` when there is
  /// markup between them, or no sibling.
  private(set) var gap: Int?
  private(set) var children: [Fragment] = []
  /// The parts of its markup that are a script's; empty once it is closed.
  private var ignored: [Range<Int>] = []
  /// The tag of an element without content, such as `<input …>`, whose attributes are compared.
  private(set) var emptyTag: String?

  init(key: String, tag: Int, start: Int) {
    (self.key, self.tag, self.start, isPiece) = (key, tag, start, false)
    end = start
  }

  /// Creates the marker of a piece.
  init(piece name: String, _ range: Range<Int>) {
    (key, tag, start, isPiece) = (name, 0, range.lowerBound, true)
    end = range.upperBound
  }

  /// What tells it apart from its siblings, of which a piece may have the name that another has as its key.
  var identity: Identity { Identity(key: key, isPiece: isPiece) }

  /// Compares by bytes, as browsers do: `é` and `e` with an accent are two keys.
  struct Identity: Hashable {
    let key: String
    var isPiece = false

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.isPiece == rhs.isPiece && lhs.key.utf8.elementsEqual(rhs.key.utf8)
    }

    func hash(into hasher: inout Hasher) {
      var key = key
      key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(isPiece)
    }
  }

  /// Adds the next child.
  mutating func append(_ child: Fragment, in markup: UnsafeRawBufferPointer) {
    var child = child
    if let before = children.last {
      let gap = markup[before.end..<child.start]
      if !child.isPiece, !before.isPiece, !gap.contains(UInt8(ascii: "<")) {
        child.gap = fingerprint(UnsafeRawBufferPointer(rebasing: gap))
      }
    }
    children.append(child)
  }

  /// Leaves a part of its markup out of its fingerprint.
  mutating func ignore(_ range: Range<Int>) { ignored.append(range) }

  /// Ends it at a position.
  mutating func close(at position: Int, isEmpty: Bool = false, in markup: UnsafeRawBufferPointer) {
    end = position
    let own = UnsafeRawBufferPointer(rebasing: markup[start..<position])
    if isEmpty, own.count <= Self.longestTag { emptyTag = String(decoding: own, as: UTF8.self) }
    // A key that two of them have names neither of them.
    if Set(children.lazy.map(\.identity)).count < children.count { children = [] }
    // Without the room for more that an array has which grew: a session keeps them.
    children = children.map { $0 }
    var hasher = Hasher()
    var position = start
    var rest = ignored[...]
    /// Adds the markup until an offset, without what is ignored in it.
    func combine(until end: Int) {
      while let next = rest.first, next.lowerBound < end {
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: markup[position..<next.lowerBound]))
        position = next.upperBound
        rest.removeFirst()
      }
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: markup[position..<end]))
    }
    for child in children {
      combine(until: child.start)
      hasher.combine(child.identity)
      hasher.combine(child.tag)
      position = child.end
    }
    combine(until: end)
    ignored = []
    shell = hasher.finalize()
  }
}

/// Returns a number that stands for some bytes while the process runs.
func fingerprint(_ bytes: UnsafeRawBufferPointer) -> Int {
  var hasher = Hasher()
  hasher.combine(bytes: bytes)
  return hasher.finalize()
}
