/// The coding paths of the values that are being decoded, as nodes that know the one before them.
///
/// A node is made for each value, and the path only when somebody asks for it. The nodes of a value are
/// removed when it is decoded.
struct CodingPath {
  /// What a node adds to a path.
  enum Step {
    /// A key type's value that is one byte, or none.
    case byte(any CodingKey.Type, UInt8)
    case index(Int)
    /// A member of a dictionary, by the index of its key in the tape.
    case member(Int)
    /// Keys at an index of ``CodingPath/keys``.
    case stored(Int)
  }

  private struct Node {
    let parent: Int32
    var step: Step
  }

  /// The number of nodes and keys at some time.
  struct Mark {
    fileprivate let count: Int
    fileprivate let keys: Int
  }

  /// The node before all others: a path without keys.
  static let root: Int32 = -1

  private var nodes = UnsafeMutablePointer<Node>.allocate(capacity: 32)
  private var capacity = 32
  private var count = 0
  private var keys: [[any CodingKey]] = []

  /// Frees the memory.
  func deallocate() { nodes.deallocate() }

  @inline(__always)
  var mark: Mark { Mark(count: count, keys: keys.count) }

  /// Removes the nodes that were added since a time.
  @inline(__always)
  mutating func remove(since mark: Mark) {
    count = mark.count
    if _slowPath(keys.count > mark.keys) { keys.removeLast(keys.count - mark.keys) }
  }

  @inline(__always)
  mutating func add(_ step: Step, after parent: Int32) -> Int32 {
    if _slowPath(count == capacity) { grow() }
    (nodes + count).initialize(to: Node(parent: parent, step: step))
    count &+= 1
    return Int32(truncatingIfNeeded: count &- 1)
  }

  mutating func add(_ path: [any CodingKey], after parent: Int32) -> Int32 {
    keys.append(path)
    return add(.stored(keys.count - 1), after: parent)
  }

  /// Makes a node the one of another value at the same level.
  @inline(__always)
  func set(_ step: Step, of node: Int32) { nodes[Int(node)].step = step }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: nodes, count: count)
    nodes.deallocate()
    (nodes, capacity) = (larger, capacity * 2)
  }

  /// Returns the keys that lead to a node.
  ///
  /// - Parameter name: Returns the key of a dictionary's member.
  func keys(to node: Int32, name: (Int) -> any CodingKey) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var node = node
    while node >= 0 {
      let (parent, step) = (nodes[Int(node)].parent, nodes[Int(node)].step)
      switch step {
      case .byte(let type, let byte): path.append(Self.key(type, byte))
      case .index(let index): path.append(PathKey(index: index))
      case .member(let index): path.append(name(index))
      case .stored(let index): path += keys[index].reversed()
      }
      node = parent
    }
    return path.reversed()
  }

  private static func key<Key: CodingKey>(_ type: Key.Type, _ byte: UInt8) -> any CodingKey {
    // Only a type whose values are one byte, or none, has such a step.
    withUnsafeBytes(of: byte) { $0.loadUnaligned(as: Key.self) }
  }
}
