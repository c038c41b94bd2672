/// An element with a key in a screen's markup: the unit that is compared, sent and replaced.
///
/// Its children are the nearest keyed descendants. It stores fingerprints instead of markup, so that a session needs
/// about 100 bytes for each of its fragments.
package struct Fragment: Sendable {
  /// The maximum length of a stored tag, in bytes; an element with a longer tag is sent completely when it changes.
  private static let maximumTagLength = 1_024

  /// The `id`, or else the `data-key`; empty for the root's content.
  let key: String
  /// The fingerprint of the tag's name.
  let tag: Int
  /// Whether it is the marker of a piece, whose name is the key.
  let isPiece: Bool
  /// The position of the fragment's first byte in the parsed markup.
  let start: Int
  /// The position after the fragment's last byte.
  private(set) var end: Int
  /// The fingerprint of the fragment's own markup, in which only the identity and the tag of each child count.
  private(set) var shell = 0
  /// The fingerprint of the text between the previous sibling and this fragment; `nil` if there is markup between them,
  /// or no previous sibling.
  private(set) var gap: Int?
  private(set) var children: [Fragment] = []
  /// The ranges of the markup that scripts manage; empty once the fragment is closed.
  private var ignored: [Range<Int>] = []
  /// The tag of an element without content, such as `<input …>`, whose attributes are compared.
  private(set) var emptyTag: String?

  init(key: String, tag: Int, start: Int) {
    (self.key, self.tag, self.start, isPiece) = (key, tag, start, false)
    end = start
  }

  /// Creates a fragment for the marker of a piece.
  init(piece name: String, _ range: Range<Int>) {
    (key, tag, start, isPiece) = (name, 0, range.lowerBound, true)
    end = range.upperBound
  }

  /// The fragment's identity among its siblings; a piece may have the same name as a sibling's key.
  var identity: Identity { Identity(key: key, isPiece: isPiece) }

  /// An identity that is compared by bytes, as in browsers: precomposed and decomposed `é` are two keys.
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

  /// Appends a child.
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

  /// Excludes a range of the markup from the fingerprint.
  mutating func ignore(_ range: Range<Int>) { ignored.append(range) }

  /// Closes the fragment at a position.
  mutating func close(at position: Int, isEmpty: Bool = false, in markup: UnsafeRawBufferPointer) {
    end = position
    let own = UnsafeRawBufferPointer(rebasing: markup[start..<position])
    if isEmpty, own.count <= Self.maximumTagLength {
      emptyTag = String(decoding: own, as: UTF8.self)
    }
    // Children with duplicate keys can't be identified, so the fragment then has no children.
    if Set(children.lazy.map(\.identity)).count < children.count { children = [] }
    // Copied without the array's spare capacity, because a session stores the fragments.
    children = children.map { $0 }
    var hasher = Hasher()
    var position = start
    var rest = ignored[...]
    /// Hashes the markup up to an offset, without the ignored ranges.
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

/// Returns a hash of some bytes, which is stable while the process runs.
func fingerprint(_ bytes: UnsafeRawBufferPointer) -> Int {
  var hasher = Hasher()
  hasher.combine(bytes: bytes)
  return hasher.finalize()
}
