import Curlew
import CurlewJSON
import Foundation

/// The types and presence of each coding path in several JSON texts, merged over the texts and the elements of arrays.
///
/// The nodes are in an array and refer to each other by index: reading and releasing deeply nested texts needs no
/// recursion.
struct JSONShape {
  /// The observations at a coding path.
  struct Node {
    var types: Set<DriftReport.ValueType> = []
    /// The number of values, including `null`.
    var values = 0
    var nulls = 0
    /// The number of values that are objects.
    var objects = 0
    /// The number of objects that contain this node's key; repeated keys count once.
    var presences = 0
    /// The number of the object in which the key was last found.
    var lastObject = 0
    /// The nodes of the objects' members by key, except identifiers.
    var members: [String: Int] = [:]
    /// The node of all members whose keys are identifiers.
    var identified: Int?
    /// The node of all elements of the arrays.
    var element: Int?
  }

  /// The nodes, starting with the node of the whole text.
  private(set) var nodes = [Node()]
  /// The number of all objects.
  private var objects = 0

  /// An object or array that is being parsed.
  private enum Open {
    case object(node: Int, number: Int)
    case array(element: Int)
  }

  /// Adds a text; returns whether it is valid JSON.
  mutating func merge(_ text: Data) -> Bool {
    guard let tokens = JSONToken.tokens(in: text) else { return false }
    var open: [Open] = []
    var node = 0
    for token in tokens {
      switch token {
      case .object:
        objects += 1
        add(.object, at: node)
        open.append(.object(node: node, number: objects))
      case .array:
        add(.array, at: node)
        open.append(.array(element: element(of: node)))
      case .end: open.removeLast()
      case .key(let key):
        guard case .object(let parent, let number)? = open.last else { continue }
        node = member(key, of: parent, number: number)
      case .string: add(.string, at: node)
      case .boolean: add(.boolean, at: node)
      case .null: add(nil, at: node)
      case .integer: add(.integer, at: node)
      case .number: add(.number, at: node)
      }
      if case .array(let element)? = open.last { node = element }
    }
    return true
  }

  private mutating func add(_ type: DriftReport.ValueType?, at index: Int) {
    nodes[index].values += 1
    if let type { nodes[index].types.insert(type) } else { nodes[index].nulls += 1 }
    if type == .object { nodes[index].objects += 1 }
  }

  private mutating func element(of index: Int) -> Int {
    if let element = nodes[index].element { return element }
    nodes[index].element = addNode()
    return nodes.count - 1
  }

  private mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func member(_ key: String, of index: Int, number: Int) -> Int {
    if key.isIdentifier {
      if let node = nodes[index].identified { return node }
      nodes[index].identified = addNode()
      return nodes.count - 1
    }
    let node = nodes[index].members[key] ?? addNode()
    nodes[index].members[key] = node
    if nodes[node].lastObject != number {
      nodes[node].lastObject = number
      nodes[node].presences += 1
    }
    return node
  }
}
