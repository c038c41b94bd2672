/// The elements of a page's markup, with a subset of CSS selectors.
///
/// It supports the HTML and CSS that the pages use: names, ids, classes, attributes, `:not(.class)`
/// and descendants.
struct Elements {
  /// An element, and the range of its content.
  struct Node {
    let name: Substring
    let attributes: [String: String]
    var content: Range<Int>

    var classes: [Substring] { (attributes["class"] ?? "").split(separator: " ") }
  }

  private static let void: Set<Substring> = ["input", "img", "br", "wbr", "hr", "meta", "link"]

  private let bytes: [UInt8]
  /// All elements, in document order.
  private(set) var all: [Node] = []

  init(_ html: String) {
    bytes = Array(html.utf8)
    var open: [Int] = []
    var place = 0
    while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      let end = self.end(ofTagAt: start)
      let tag = Substring(decoding: bytes[(start + 1)..<end], as: UTF8.self)
      place = end + 1
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
      if tag.hasPrefix("/") {
        guard let last = open.lastIndex(where: { all[$0].name == name }) else { continue }
        for index in open[last...] { all[index].content = all[index].content.lowerBound..<start }
        open.removeSubrange(last...)
      } else if !name.isEmpty {
        let isAlone = Self.void.contains(name) || tag.hasSuffix("/")
        if !isAlone { open.append(all.count) }
        let content = isAlone ? place..<place : place..<bytes.count
        all.append(Node(name: name, attributes: Self.attributes(of: tag), content: content))
      }
      if place >= bytes.count { return }
    }
  }

  /// Returns the end of a tag: the first `>` outside of quotation marks.
  private func end(ofTagAt start: Int) -> Int {
    var isQuoted = false
    for index in start..<bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] == UInt8(ascii: ">"), !isQuoted { return index }
    }
    return bytes.count - 1
  }

  private static func attributes(of tag: Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    // After the name, every second part is a value.
    let parts = tag.drop { !$0.isWhitespace }
      .split(separator: "\"", omittingEmptySubsequences: false)
    for index in stride(from: 0, to: parts.count, by: 2) {
      for name in parts[index].split(whereSeparator: \.isWhitespace) {
        let value = name.hasSuffix("=") && index + 1 < parts.count ? text(parts[index + 1]) : ""
        attributes[String(name.prefix { $0 != "=" })] = value
      }
    }
    return attributes
  }

  /// Returns the text for escaped markup.
  private static func text(_ markup: Substring) -> String {
    var text = String(markup)
    for (code, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ] where text.contains("&") { text = text.replacing(code, with: character) }
    return text
  }

  /// Returns the text content of an element.
  func text(of node: Node) -> String {
    let markup = Substring(decoding: bytes[node.content], as: UTF8.self)
    return Self.text(Substring(markup.replacing(/<(?:[^>"]|"[^"]*")*>/, with: "")))
  }

  /// Returns the elements that match a selector.
  func matching(_ selector: String) -> [Node] {
    var found: [Node]?
    for step in selector.split(separator: " ") {
      let tests = Self.tests(of: step)
      found = all.filter { node in
        let isWithin = found?.contains { $0.content.contains(node.content.lowerBound - 1) } ?? true
        return isWithin && tests.allSatisfy { $0(node) }
      }
    }
    return found ?? []
  }

  /// Returns the conditions for a compound selector.
  private static func tests(of step: Substring) -> [(Node) -> Bool] {
    step.matches(
      of: /([a-z0-9]+)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:='?([^\]']+)'?)?\]|:not\(\.([\w-]+)\)/
    ).map { part in
      if let name = part.1 { return { $0.name == name } }
      if let id = part.2 { return { $0.attributes["id"] == String(id) } }
      if let style = part.3 { return { $0.classes.contains(style) } }
      if let style = part.6 { return { !$0.classes.contains(style) } }
      let (name, value) = (String(part.4 ?? ""), part.5.map { String($0) })
      return { node in node.attributes[name].map { value == nil || $0 == value } ?? false }
    }
  }

  func has(_ selector: String) -> Bool { !matching(selector).isEmpty }

  func count(_ selector: String) -> Int { matching(selector).count }

  /// Returns the text of the first element that matches a selector.
  func text(_ selector: String) -> String? { matching(selector).first.map { text(of: $0) } }

  func texts(_ selector: String) -> [String] { matching(selector).map { text(of: $0) } }

  /// Returns an attribute of the first element that matches a selector.
  func attribute(_ name: String, of selector: String) -> String? {
    matching(selector).first?.attributes[name]
  }

  /// Returns the values of an attribute of the elements that match a selector; skips elements
  /// without it.
  func attributes(_ name: String, of selector: String) -> [String] {
    matching(selector).compactMap { $0.attributes[name] }
  }
}
