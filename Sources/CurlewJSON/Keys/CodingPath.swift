/// The coding paths of the values that are being decoded, as nodes that know the one before them.
///
/// A node is made for each value, and the path only when somebody asks for it. The nodes of a value are
/// removed when it is decoded; what outlives it has a ``PathLink``.
struct CodingPath {
  /// What a node adds to a path.
  enum Step {
    /// A key type's value that is one byte, or none.
    case byte(any CodingKey.Type, UInt8)
    case index(Int)
    /// A member of a dictionary, by the index of its key in the tape.
    case member(Int)
    /// A key at an index of ``CodingPath/keys``.
    case stored(Int)
    /// The path at an index of ``CodingPath/links``, with which a path begins.
    case link(Int)
  }

  private struct Node {
    let parent: Int32
    let step: Step
    /// The path to the node, if somebody asked for it.
    var link: Unmanaged<PathLink>?
  }

  /// The number of nodes, and of what they refer to, at some time.
  struct Mark {
    fileprivate let count: Int
    fileprivate let keys: Int
    fileprivate let links: Int
  }

  /// The node before all others.
  static let root: Int32 = -1

  /// The path to the root.
  private let base: PathLink?
  private var nodes: UnsafeMutablePointer<Node>?
  private var capacity = 0
  private var count = 0
  private var keys: [any CodingKey] = []
  private var links: [PathLink] = []
  /// The number of nodes with a link of their own.
  private var linked = 0

  init(after base: PathLink?) { self.base = base }

  /// Frees the memory.
  func deallocate() { nodes?.deallocate() }

  @inline(__always)
  var mark: Mark { Mark(count: count, keys: keys.count, links: links.count) }

  /// Removes the nodes that were added since a time.
  @inline(__always)
  mutating func remove(since mark: Mark) {
    if _slowPath(linked > 0) { releaseLinks(from: mark.count) }
    count = mark.count
    if _slowPath(keys.count > mark.keys) { keys.removeLast(keys.count - mark.keys) }
    if _slowPath(links.count > mark.links) { links.removeLast(links.count - mark.links) }
  }

  private mutating func releaseLinks(from start: Int) {
    guard let nodes else { return }
    for index in start..<count {
      guard let link = nodes[index].link else { continue }
      link.release()
      linked -= 1
    }
  }

  @inline(__always)
  mutating func add(_ step: Step, after parent: Int32) -> Int32 {
    if _slowPath(count == capacity) { grow() }
    (nodes.unsafelyUnwrapped + count).initialize(to: Node(parent: parent, step: step))
    count &+= 1
    return Int32(truncatingIfNeeded: count &- 1)
  }

  mutating func add(_ key: any CodingKey, after parent: Int32) -> Int32 {
    keys.append(key)
    return add(.stored(keys.count - 1), after: parent)
  }

  /// Adds the node of a whole path.
  mutating func add(_ link: PathLink) -> Int32 {
    links.append(link)
    return add(.link(links.count - 1), after: Self.root)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: max(32, capacity * 2))
    if let nodes {
      larger.moveInitialize(from: nodes, count: count)
      nodes.deallocate()
    }
    (nodes, capacity) = (larger, max(32, capacity * 2))
  }

  // MARK: - Paths

  /// Returns the path to a node; `nil` for one without keys.
  ///
  /// - Parameter name: Returns the key of a dictionary's member.
  mutating func link(to node: Int32, name: (Int) -> any CodingKey) -> PathLink? {
    var (link, missing, node) = (base, [Int32](), node)
    while node >= 0, let nodes {
      if let known = nodes[Int(node)].link {
        link = known.takeUnretainedValue()
        break
      }
      if case .link(let index) = nodes[Int(node)].step {
        link = links[index]
        break
      }
      missing.append(node)
      node = nodes[Int(node)].parent
    }
    for node in missing.reversed() {
      guard let nodes, let key = key(nodes[Int(node)].step, name) else { continue }
      let longer = PathLink(key, after: link)
      nodes[Int(node)].link = Unmanaged.passRetained(longer)
      linked += 1
      link = longer
    }
    return link
  }

  /// Returns the keys that lead to a node.
  func keys(to node: Int32, name: (Int) -> any CodingKey) -> [any CodingKey] {
    var (start, path, node) = (base, [any CodingKey](), node)
    while node >= 0, let nodes {
      let step = nodes[Int(node)].step
      if case .link(let index) = step { start = links[index] }
      if let key = key(step, name) { path.append(key) }
      node = nodes[Int(node)].parent
    }
    return (start?.keys ?? []) + path.reversed()
  }

  private func key(_ step: Step, _ name: (Int) -> any CodingKey) -> (any CodingKey)? {
    switch step {
    case .byte(let type, let byte): Self.key(type, byte)
    case .index(let index): PathKey(index: index)
    case .member(let index): name(index)
    case .stored(let index): keys[index]
    case .link: nil
    }
  }

  private static func key<Key: CodingKey>(_ type: Key.Type, _ byte: UInt8) -> any CodingKey {
    // Only a type whose values are one byte, or none, has such a step.
    withUnsafeBytes(of: byte) { $0.loadUnaligned(as: Key.self) }
  }
}
