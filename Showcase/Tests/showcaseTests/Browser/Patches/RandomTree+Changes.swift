import CurlewTesting
import ShowcaseTestSupport

extension RandomTree {
  /// The path to a node: its indices in `nodes` and in the children of each level.
  typealias Way = [Int]

  /// Performs random changes: inserts, removes, moves, modifies, nests or reverses nodes.
  mutating func step() {
    count += 1
    for _ in 0..<random.pick(1...3) { change() }
  }

  /// Sets an attribute of the element with a key.
  mutating func set(_ name: String, to value: String, of key: String) {
    for way in ways where self[way].key == key { self[way].attributes[name] = value }
  }

  private mutating func change() {
    let ways = ways
    // Keeps the size of the tree approximately constant.
    let isSmall = ways.count < 60
    let way = random.pick(ways)
    switch random.pick(1...20) {
    case 1...4 where ways.count < 150, 1...20 where isSmall && random.chance(oneIn: 2):
      let parent = random.pick(parents(among: ways))
      insert(node(in: place(of: parent), depth: isSmall ? 2 : 1), in: parent)
    case 1...8:
      if isMovable(self[way]) { remove(way) }
    case 9...12:
      let isNear = random.chance(oneIn: 2)
      move(way, to: isNear ? Array(way.dropLast()) : random.pick(parents(among: ways)))
    case 13:
      nest(way)
    case 14:
      flatten(way)
    case 15:
      let parent = random.pick(parents(among: ways))
      if parent.isEmpty || self[parent].tag != "details" {
        children(of: parent) { $0.reverse() }
      }
    default:
      alter(way)
    }
  }

  private mutating func alter(_ way: Way) {
    let text = text()
    var node = self[way]
    switch node.tag {
    case "": if node.text.contains(where: \.isLetter) { node.text = text }
    case "input": node.attributes["value"] = text
    case "option": node.attributes["selected"] = node.attributes["selected"] == nil ? "" : nil
    case "details": node.attributes["open"] = node.attributes["open"] == nil ? "" : nil
    default: node.attributes["title"] = random.chance(oneIn: 3) ? nil : text
    }
    self[way] = node
  }

  private mutating func move(_ way: Way, to parent: Way) {
    let node = self[way]
    guard isMovable(node), !parent.starts(with: way), fits(node, in: parent) else { return }
    remove(way)
    // The removal has shifted the indices of the following siblings.
    var parent = parent
    let depth = way.count - 1
    if parent.count > depth, parent.prefix(depth) == way.prefix(depth), parent[depth] > way[depth] {
      parent[depth] -= 1
    }
    insert(node, in: parent)
  }

  /// Wraps a node in a new element.
  private mutating func nest(_ way: Way) {
    guard place(of: Array(way.dropLast())) == .flow, isMovable(self[way]) else { return }
    self[way] = element("div", keyed: 3, children: [self[way]])
  }

  /// Replaces an element by its children.
  private mutating func flatten(_ way: Way) {
    guard self[way].tag == "div", place(of: Array(way.dropLast())) == .flow else { return }
    let nodes = self[way].children
    let index = way[way.count - 1]
    children(of: Array(way.dropLast())) { $0.replaceSubrange(index...index, with: nodes) }
  }

  private mutating func remove(_ way: Way) {
    children(of: Array(way.dropLast())) { $0.remove(at: way[way.count - 1]) }
  }

  private mutating func insert(_ node: Node, in parent: Way) {
    let index = random.pick(0...(parent.isEmpty ? nodes : self[parent].children).count)
    children(of: parent) { $0.insert(node, at: index) }
  }

  // MARK: Paths

  private subscript(way: Way) -> Node {
    get { way.dropFirst().reduce(nodes[way[0]]) { $0.children[$1] } }
    set { children(of: Array(way.dropLast())) { $0[way[way.count - 1]] = newValue } }
  }

  /// Changes the children of a node; an empty path refers to the top-level nodes.
  private mutating func children(of parent: Way, _ change: (inout [Node]) -> Void) {
    func visit(_ nodes: inout [Node], _ rest: ArraySlice<Int>) {
      guard let index = rest.first else { return change(&nodes) }
      visit(&nodes[index].children, rest.dropFirst())
    }
    visit(&nodes, parent[...])
  }

  /// The paths to all nodes.
  private var ways: [Way] {
    func ways(_ nodes: [Node], _ parent: Way) -> [Way] {
      nodes.enumerated().flatMap { index, node in
        [parent + [index]] + ways(node.children, parent + [index])
      }
    }
    return ways(nodes, [])
  }

  private func parents(among ways: [Way]) -> [Way] {
    [[]] + ways.filter { self[$0].place != nil }
  }

  private func place(of parent: Way) -> Place {
    (parent.isEmpty ? .flow : self[parent].place) ?? .phrase
  }

  /// Returns whether the HTML parser keeps a node in its place.
  private func fits(_ node: Node, in parent: Way) -> Bool {
    let isText = node.tag.isEmpty
    return switch place(of: parent) {
    case .items: node.tag == "li"
    case .rows: node.tag == "tr"
    case .options: node.tag == "option"
    case .phrase: isText || node.tag == "input"
    case .flow: !["li", "tr", "option"].contains(node.tag)
    }
  }

  private func isMovable(_ node: Node) -> Bool { !["td", "summary"].contains(node.tag) }
}
