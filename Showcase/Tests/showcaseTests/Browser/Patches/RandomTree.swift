import CurlewLive
import CurlewTesting
import ShowcaseTestSupport

/// Randomly changing markup; the seed determines the markup and its changes.
struct RandomTree: Sendable {
  /// An element or, with an empty tag, a text node.
  struct Node: Equatable, Sendable {
    var tag = ""
    /// The key, which is its `id` or its `data-key`.
    var key: String?
    var isIdentified = false
    var attributes: [String: String] = [:]
    var text = ""
    var children: [Node] = []
  }

  let seed: UInt64
  /// The top-level nodes of the page.
  var nodes: [Node] = []
  /// The number of changes.
  var count = 0
  var random: SeededGenerator
  private var keys = 0

  /// Creates the initial markup for a seed.
  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    nodes = (0..<6).map { _ in node(in: .flow, depth: 3) }
  }

  /// The kinds of content of an element.
  enum Place {
    case flow, phrase, items, rows, options
  }

  /// Returns a new node.
  mutating func node(in place: Place, depth: Int) -> Node {
    switch place {
    case .items:
      if random.chance(oneIn: 5) { return Node(text: random.pick(["\n", " ", ", "])) }
      return element("li", keyed: 9, children: nodes(in: .flow, depth: depth - 1))
    case .rows:
      let cells = (0..<2).map { _ in
        element("td", keyed: 3, children: [node(in: .phrase, depth: 0)])
      }
      return element("tr", keyed: 9, children: cells)
    case .options:
      return element("option", keyed: 5, children: [Node(text: "option \(random.pick(1...9))")])
    case .phrase:
      return phrase()
    case .flow:
      return depth > 0 && !random.chance(oneIn: 4) ? block(depth) : phrase()
    }
  }

  private mutating func nodes(in place: Place, depth: Int) -> [Node] {
    (0..<random.pick(1...4)).map { _ in node(in: place, depth: depth) }
  }

  private mutating func phrase() -> Node {
    switch random.pick(1...6) {
    case 1...2: return Node(text: text())
    case 3: return element("b", keyed: 5, children: [Node(text: text())])
    default:
      var field = element("input", keyed: 9)
      field.attributes["value"] = text()
      // Half of the fields send their text.
      if let key = field.key, random.chance(oneIn: 2) { field.attributes["data-live-input"] = key }
      return field
    }
  }

  private mutating func block(_ depth: Int) -> Node {
    let place: (tag: String, inside: Place) = random.pick([
      ("div", .flow), ("div", .flow), ("section", .flow), ("ul", .items), ("ul", .items),
      ("table", .rows), ("select", .options), ("details", .flow), ("p", .phrase),
    ])
    var node = element(place.tag, keyed: 6, children: nodes(in: place.inside, depth: depth - 1))
    if place.tag == "details" {
      node.children.insert(Node(tag: "summary", children: [Node(text: "more")]), at: 0)
    }
    if place.tag == "section" { node.attributes["class"] = "scroller" }
    return node
  }

  /// Returns a new element, which has a key with a probability of `keyed` in ten.
  mutating func element(_ tag: String, keyed: Int, children: [Node] = []) -> Node {
    keys += 1
    let key = random.pick(1...10) <= keyed ? "k\(keys)" : nil
    return Node(
      tag: tag, key: key, isIdentified: random.chance(oneIn: 2), children: children)
  }

  mutating func text() -> String { random.pick(["a", "bee", "c <&> \"d\"", "é…", " e ", "f"]) }
}

extension RandomTree: Equatable {
  static func == (one: RandomTree, other: RandomTree) -> Bool {
    one.seed == other.seed && one.count == other.count && one.nodes == other.nodes
  }
}

extension RandomTree.Node {
  /// The kind of the element's content; `nil` for an element whose children don't change.
  var place: RandomTree.Place? {
    switch tag {
    case "div", "section", "li", "details": .flow
    case "p", "b", "td": .phrase
    case "ul": .items
    case "table": .rows
    case "select": .options
    default: nil
    }
  }

  var html: String { html { $0.map(\.html).joined() } }

  /// Returns the markup, with pieces in place of elements with keys; if all children have keys,
  /// they become rows.
  func html(_ pieces: inout [LivePiece]) -> String {
    html { children in
      let keys = children.compactMap(\.key)
      if let key, !keys.isEmpty, Set(keys).count == children.count {
        let rows = LivePiece("rows-\(key)", rows: children, key: { $0.key ?? "" }) { $0.live }
        pieces.append(rows)
        return rows.marker
      }
      return children.map { child in
        guard let key = child.key else { return child.html(&pieces) }
        let piece = LivePiece("one-\(key)", child) { $0.live }
        pieces.append(piece)
        return piece.marker
      }.joined()
    }
  }

  var live: HTML {
    var pieces: [LivePiece] = []
    let html = html(&pieces)
    return HTML(trusted: html, pieces: pieces)
  }

  private func html(_ content: ([Self]) -> String) -> String {
    if tag.isEmpty { return Self.escape(text) }
    var start = "<\(tag)"
    if let key { start += " \(isIdentified ? "id" : "data-key")=\"\(key)\"" }
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      start += " \(name)=\"\(Self.escape(value))\""
    }
    if tag == "input" { return start + ">" }
    return start + ">" + content(children) + "</\(tag)>"
  }

  private static func escape(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
  }
}
