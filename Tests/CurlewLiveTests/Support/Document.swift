import Foundation

/// A browser's document, made from markup and from the parts of updates.
///
/// It parses plain markup only: every element is closed, attributes have quotes. Attributes are written in the order of
/// their names, and not escaped.
struct Document {
  /// A received part.
  struct Part: Decodable {
    let path: [String]
    let html: String?
    let keep: [[String]]?
    let attributes: [String: String?]?
  }

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// An element, a text or a comment.
  final class Node {
    let name: String
    var attributes: [String: String] = [:]
    var children: [Node] = []
    /// The text of a text or a comment.
    let text: String

    init(name: String, text: String = "") {
      self.name = name
      self.text = text
    }

    var key: String? {
      (attributes["id"] ?? attributes["data-key"]).flatMap { $0.isEmpty ? nil : $0 }
    }

    var markup: String {
      if name == "#text" { return text }
      if name == "#comment" { return "<!--\(text)-->" }
      let list = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value)\"" }.joined()
      let inner = children.map(\.markup).joined()
      if name.isEmpty { return inner }
      return Self.empty.contains(name) ? "<\(name)\(list)>" : "<\(name)\(list)>\(inner)</\(name)>"
    }

    static let empty: Set = ["input", "br", "hr", "img"]

    /// The nearest keyed descendants, each with its parent.
    var fragments: [(parent: Node, node: Node)] {
      children.flatMap { child in
        child.key != nil ? [(self, child)] : child.fragments
      }
    }
  }

  private(set) var root: Node

  var markup: String { root.markup }

  init(_ markup: String) {
    root = Self.read(markup)
  }

  private static func read(_ markup: String) -> Node {
    var open = [Node(name: "")]
    let pattern =
      #/<!--(?<comment>.*?)-->|</[a-z0-9]+>|<(?<name>[a-z0-9]+)(?<attributes>[^>]*)>|[^<]+/#
    for match in markup.matches(of: pattern) {
      let last = open[open.count - 1]
      if let comment = match.comment {
        last.children.append(Node(name: "#comment", text: String(comment)))
      } else if let name = match.name {
        let node = Node(name: String(name))
        for pair in (match.attributes ?? "").matches(of: #/([-a-z]+)="([^"]*)"/#) {
          node.attributes[String(pair.1)] = String(pair.2)
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
        last.children.append(node)
        if !Node.empty.contains(node.name) { open.append(node) }
      } else if match.0.hasPrefix("</") {
        open.removeLast()
      } else {
        last.children.append(Node(name: "#text", text: String(match.0)))
      }
    }
    return open[0]
  }

  /// Applies a part to a fragment.
  func apply(_ part: Part) throws {
    var node = root
    for key in part.path {
      guard let next = node.fragments.first(where: { $0.node.key == key }) else {
        throw Missing(description: "\(key) of \(part.path) in \(markup)")
      }
      node = next.node
    }
    for (name, value) in part.attributes ?? [:] { node.attributes[name] = value }
    guard let html = part.html else { return }
    var wanted = Self.read(html)
    if !part.path.isEmpty {
      guard wanted.children.count == 1, wanted.children[0].name == node.name else {
        throw Missing(description: "one \(node.name) in \(html)")
      }
      wanted = wanted.children[0]
      node.attributes = wanted.attributes
    }
    let fragments = node.fragments
    func keep(_ index: Int) throws -> [Node] {
      let range = try (part.keep?[index] ?? []).map { key in
        guard let child = fragments.first(where: { $0.node.key == key }) else {
          throw Missing(description: "\(key), which is to be kept, in \(node.markup)")
        }
        return child
      }
      guard let first = range.first, let last = range.last,
        let start = first.parent.children.firstIndex(where: { $0 === first.node }),
        let end = first.parent.children.firstIndex(where: { $0 === last.node }), start <= end
      else { throw Missing(description: "what comment \(index) stands for") }
      return Array(first.parent.children[start...end])
    }
    func filled(_ node: Node) throws -> [Node] {
      try node.children.flatMap { child in
        if child.name == "#comment", child.text.hasPrefix("live:") {
          return try keep(Int(child.text.dropFirst(5)) ?? -1)
        }
        child.children = try filled(child)
        return [child]
      }
    }
    node.children = try filled(wanted)
  }
}
