/// The coding paths of the values that are being decoded, as nodes with parents.
///
/// Each value adds a node; the path is created only on demand. A value's nodes are removed when it is decoded; objects
/// that outlive it store the keys.
struct CodingPath {
  /// The part of a path that a node adds.
  enum Step {
    case index(Int)
    /// A dictionary member, by the index of its key in the tape.
    case member(Int)
    /// A key at an index of ``CodingPath/keys``.
    case stored(Int)
    /// The first keys of a path, at an index of ``CodingPath/starts``.
    case start(Int)
  }

  private struct Node {
    let parent: Int32
    let step: Step
  }

  /// The numbers of nodes and stored keys at some time.
  struct Mark {
    fileprivate let count: Int
    fileprivate let keys: Int
    fileprivate let starts: Int
  }

  /// The root, the parent of the first nodes.
  static let root: Int32 = -1

  /// The path of the root.
  private let base: [any CodingKey]
  private var nodes: UnsafeMutablePointer<Node>?
  private var capacity = 0
  private var count = 0
  private var keys: [any CodingKey] = []
  private var starts: [[any CodingKey]] = []

  init(after base: [any CodingKey]) { self.base = base }

  /// Frees the memory.
  func deallocate() { nodes?.deallocate() }

  @inline(__always)
  var mark: Mark { Mark(count: count, keys: keys.count, starts: starts.count) }

  /// Removes the nodes added since a mark.
  @inline(__always)
  mutating func remove(since mark: Mark) {
    count = mark.count
    while keys.count > mark.keys { keys.removeLast() }
    if _slowPath(starts.count > mark.starts) { starts.removeLast(starts.count - mark.starts) }
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
  mutating func add(_ path: [any CodingKey]) -> Int32 {
    starts.append(path)
    return add(.start(starts.count - 1), after: Self.root)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: max(32, capacity * 2))
    if let nodes {
      larger.moveInitialize(from: nodes, count: count)
      nodes.deallocate()
    }
    (nodes, capacity) = (larger, max(32, capacity * 2))
  }

  /// Returns the path of a node.
  ///
  /// - Parameter name: Returns the key of a dictionary's member.
  func keys(to node: Int32, name: (Int) -> any CodingKey) -> [any CodingKey] {
    var (start, path, node) = (base, [any CodingKey](), node)
    while node >= 0, let nodes {
      let step = nodes[Int(node)].step
      if case .start(let index) = step { start = starts[index] }
      if let key = key(step, name) { path.append(key) }
      node = nodes[Int(node)].parent
    }
    return start + path.reversed()
  }

  private func key(_ step: Step, _ name: (Int) -> any CodingKey) -> (any CodingKey)? {
    switch step {
    case .index(let index): PathKey(index: index)
    case .member(let index): name(index)
    case .stored(let index): keys[index]
    case .start: nil
    }
  }
}
