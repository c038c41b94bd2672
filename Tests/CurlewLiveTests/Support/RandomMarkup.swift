/// Markup that changes at random: elements with and without keys are added, removed, moved, changed and nested.
struct RandomMarkup {
  private struct Node {
    let name: String
    var attributes: String
    var text: String
    var children: [Node] = []

    var markup: String {
      if name == "input" { return "<input\(attributes) value=\"\(text)\">" }
      let inner = children.map(\.markup).joined(separator: name == "ol" ? "\n" : "")
      return "<\(name)\(attributes)>\(text)\(inner)</\(name)>"
    }
  }

  private var root = Node(name: "main", attributes: "", text: "")
  private var lastKey = 0

  var markup: String { root.markup }

  init(_ random: inout some RandomNumberGenerator) {
    for _ in 0..<30 { change(&random) }
  }

  /// Makes up to three random changes.
  mutating func change(_ random: inout some RandomNumberGenerator) {
    var changed = root
    for _ in 0..<Int.random(in: 1...3, using: &random) { change(&changed, depth: 0, &random) }
    root = changed
  }

  private mutating func change(
    _ node: inout Node, depth: Int, _ random: inout some RandomNumberGenerator
  ) {
    let count = node.children.count
    if count > 0, depth < 4, Int.random(in: 0..<3, using: &random) > 0 {
      let index = Int.random(in: 0..<count, using: &random)
      if node.children[index].name != "input" {
        return change(&node.children[index], depth: depth + 1, &random)
      }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2 where count < 12:
      node.children.insert(new(&random), at: Int.random(in: 0...count, using: &random))
    case 3 where count > 0:
      node.children.remove(at: Int.random(in: 0..<count, using: &random))
    case 4 where count > 1:
      let child = node.children.remove(at: Int.random(in: 0..<count, using: &random))
      node.children.insert(child, at: Int.random(in: 0..<count, using: &random))
    case 5 where count > 1: node.children.shuffle(using: &random)
    case 6: node.text = ["", "x", "\n", "a &amp; b"].randomElement(using: &random) ?? ""
    case 7 where depth > 0:
      node.attributes += " data-a=\"\(Int.random(in: 0..<9, using: &random))\""
    default: break
    }
  }

  private mutating func new(_ random: inout some RandomNumberGenerator) -> Node {
    lastKey += 1
    let name = ["section", "ol", "div", "input"].randomElement(using: &random) ?? "div"
    let attributes =
      ["", " id=\"k\(lastKey)\"", " data-key=\"\(lastKey)\"", " data-key=\"\(lastKey % 7)\""]
      .randomElement(using: &random) ?? ""
    var node = Node(name: name, attributes: attributes, text: name == "ol" ? "" : "t\(lastKey)")
    if name != "input", Bool.random(using: &random) { node.children.append(new(&random)) }
    return node
  }
}
