import CurlewTesting
import ShowcaseTestSupport

/// Randomly changing markup that breaks the rules of nesting and leaves out end tags; the seed determines it.
struct TagSoup: Sendable, Equatable {
  private struct Node {
    /// Empty for text.
    var tag = ""
    var attributes = ""
    var text = ""
    var isClosed = true
    var children: [Node] = []

    var markup: String {
      if tag.isEmpty { return text }
      let start = "<\(tag)\(attributes)>"
      if TagSoup.void.contains(tag) { return start }
      return start + children.map(\.markup).joined() + (isClosed ? "</\(tag)>" : "")
    }
  }

  private static let void = ["input", "br", "img"]
  private static let tags = """
    div div p p p ul li li b i a span button h1 h2 dl dt dd table tr td tbody form select option section input br \
    pre details summary svg template textarea
    """.split(separator: " ").map(String.init)
  private static let unclosed = ["p", "li", "td", "tr", "dd", "dt", "option", "tbody"]

  private let seed: UInt64
  private var random: SeededGenerator
  private var root = Node(tag: "main")
  private var lastKey = 0
  private(set) var count = 0

  var markup: String { root.markup }

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    change(times: 12)
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.seed, lhs.count) == (rhs.seed, rhs.count)
  }

  mutating func step() {
    count += 1
    change(times: random.pick(1...3))
  }

  private mutating func change(times: Int) {
    var changed = root
    for _ in 0..<times { change(&changed, depth: 0) }
    root = changed
  }

  private mutating func change(_ node: inout Node, depth: Int) {
    let count = node.children.count
    let index = count > 0 ? random.pick(0...(count - 1)) : 0
    if count > 0, depth < 6, !random.chance(oneIn: 3), !node.children[index].tag.isEmpty {
      return change(&node.children[index], depth: depth + 1)
    }
    switch random.pick(0...9) {
    case 0...3 where count < 6 && !Self.void.contains(node.tag):
      node.children.insert(new(depth: 0), at: random.pick(0...count))
    case 4...5 where count > 0: node.children.remove(at: index)
    case 6 where count > 1: node.children.reverse()
    case 7 where depth > 0: node.attributes += " data-\(lastKey)=\"\(random.pick(1...9))\""
    default:
      if count > 0, node.children[index].tag.isEmpty { node.children[index].text = text() }
    }
  }

  private mutating func text() -> String {
    random.pick(["x", "y ", " ", "\n", "a < b", "&amp;", "z"])
  }

  private mutating func new(depth: Int) -> Node {
    guard !random.chance(oneIn: 4) else { return Node(text: text()) }
    lastKey += 1
    var node = Node(tag: random.pick(Self.tags))
    if !random.chance(oneIn: 3) { node.attributes = " id=\"k\(lastKey)\"" }
    node.isClosed = !(Self.unclosed.contains(node.tag) && random.chance(oneIn: 3))
    if depth < 2, !Self.void.contains(node.tag) {
      node.children = (0..<random.pick(0...2)).map { _ in new(depth: depth + 1) }
    }
    return node
  }
}
