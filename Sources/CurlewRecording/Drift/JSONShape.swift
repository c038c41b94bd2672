import Curlew

/// What is known about each coding path of some JSON texts, merged over the texts and the elements of
/// arrays.
///
/// The coding paths are a list of nodes that refer to each other by index: no text can be so deep or so
/// long that reading or releasing it needs recursion.
struct JSONShape {
  /// What is known about the values at one coding path.
  struct Node {
    var types: Set<DriftReport.ValueType> = []
    /// The number of values, with those that are `null`.
    var values = 0
    var nulls = 0
    /// The number of values that are objects.
    var objects = 0
    /// In how many objects the key is that leads here, however often it is repeated there.
    var presences = 0
    /// The number of the object in which the key was found last.
    var lastObject = 0
    /// The nodes of the objects' members by key, apart from identifiers.
    var members: [String: Int] = [:]
    /// The node of all members whose keys are identifiers.
    var identified: Int?
    /// The node of all elements of the arrays.
    var element: Int?
  }

  /// The nodes; the first is the whole text's.
  private(set) var nodes = [Node()]
  /// The number of all objects.
  private var objects = 0

  /// An object or array that is being read.
  private enum Open {
    case object(node: Int, number: Int)
    case array(element: Int)
  }

  /// Adds a text; returns whether it is JSON.
  mutating func merge(_ text: [UInt8]) -> Bool {
    var scanner = JSONScanner(text)
    guard scanner.firstFault() == nil else { return false }
    read(text, from: text.starts(with: JSONScanner.byteOrderMark) ? 3 : 0)
    return true
  }

  /// Reads a valid text, which can be told by its first characters only.
  private mutating func read(_ text: [UInt8], from start: Int) {
    var open: [Open] = []
    var node = 0
    var isKey = false
    var index = start
    while index < text.count {
      let byte = text[index]
      var end = index + 1
      switch byte {
      case UInt8(ascii: "{"):
        objects += 1
        add(.object, at: node)
        open.append(.object(node: node, number: objects))
        isKey = true
      case UInt8(ascii: "["):
        add(.array, at: node)
        node = element(of: node)
        open.append(.array(element: node))
        isKey = false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        open.removeLast()
      case UInt8(ascii: ","):
        if case .array(let element)? = open.last { node = element } else { isKey = true }
      case UInt8(ascii: "\""):
        end = Self.endOfString(from: index, in: text)
        if isKey, case .object(let parent, let number)? = open.last {
          node = member(Self.key(text[index..<end]), of: parent, number: number)
          isKey = false
        } else {
          add(.string, at: node)
        }
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        add(.boolean, at: node)
        end = index + (byte == UInt8(ascii: "t") ? 4 : 5)
      case UInt8(ascii: "n"):
        add(nil, at: node)
        end = index + 4
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while end < text.count, Self.isPartOfNumber(text[end]) { end += 1 }
        add(Self.isInteger(text[index..<end]) ? .integer : .number, at: node)
      default: break
      }
      index = end
    }
  }

  private mutating func add(_ type: DriftReport.ValueType?, at index: Int) {
    nodes[index].values += 1
    if let type { nodes[index].types.insert(type) } else { nodes[index].nulls += 1 }
    if type == .object { nodes[index].objects += 1 }
  }

  private mutating func element(of index: Int) -> Int {
    if let element = nodes[index].element { return element }
    nodes[index].element = nodes.count
    nodes.append(Node())
    return nodes.count - 1
  }

  private mutating func member(_ key: String, of index: Int, number: Int) -> Int {
    if key.isIdentifier {
      if let node = nodes[index].identified { return node }
      nodes[index].identified = nodes.count
      nodes.append(Node())
      return nodes.count - 1
    }
    let node: Int
    if let known = nodes[index].members[key] {
      node = known
    } else {
      node = nodes.count
      nodes[index].members[key] = node
      nodes.append(Node())
    }
    if nodes[node].lastObject != number {
      nodes[node].lastObject = number
      nodes[node].presences += 1
    }
    return node
  }
}
