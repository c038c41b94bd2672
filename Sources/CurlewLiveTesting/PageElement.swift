import Synchronization

/// An element of a page's markup; the root of a document or of a part of it has no name.
///
/// Selectors are a subset of CSS: names, ids, classes, `[name]`, `[name=value]`, `:not()` of one of these, descendants,
/// and lists.
public final class PageElement {
  /// The name in lower case; `#text` for a text.
  public let name: String
  /// The attributes.
  public internal(set) var attributes: [String: String]
  /// The text of a text.
  let content: String
  private(set) var children: [PageElement] = []
  private(set) weak var parent: PageElement?

  init(_ name: String, _ attributes: [String: String] = [:], content: String = "") {
    (self.name, self.attributes, self.content) = (name, attributes, content)
  }

  /// Creates the root of markup.
  ///
  /// - Parameters:
  ///   - html: The markup.
  ///   - scripts: Whether the browser runs scripts, so that the content of `noscript` is ignored.
  public convenience init(_ html: String, scripts: Bool = false) {
    self.init("", [:])
    var reader = PageReader(html, scripts: scripts)
    reader.read(into: self)
  }

  func append(_ child: PageElement) {
    children.append(child)
    child.parent = self
  }

  func replaceChildren(with new: [PageElement]) {
    children = []
    for child in new { append(child) }
  }

  /// The classes.
  public var classes: [Substring] { (attributes["class"] ?? "").split(separator: " ") }

  /// The text, with single spaces between words and blocks, without hidden elements; a `textarea` has its own spaces.
  public var text: String {
    name == "textarea"
      ? markupContent : rawText.split { $0.isASCII && $0.isWhitespace }.joined(separator: " ")
  }

  /// The text as it is in the markup.
  var rawText: String {
    guard children.isEmpty else {
      let inner = children.filter { $0.attributes["hidden"] == nil }.map(\.rawText).joined()
      return Self.inline.contains(name) ? inner : " \(inner) "
    }
    return name == "#text" ? content : name == "br" ? "\n" : ""
  }

  private static let inline: Set = [
    "a", "abbr", "b", "bdi", "code", "data", "em", "i", "kbd", "label", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "textarea", "time", "title", "u", "var",
  ]

  /// The elements in this element, in the order of the markup.
  public var descendants: [PageElement] {
    children.flatMap { $0.name == "#text" ? [] : [$0] + $0.descendants }
  }

  /// Returns the elements in this element that match a selector.
  public func matching(_ selector: String) -> [PageElement] {
    let alternatives = Self.alternatives(selector)
    return descendants.filter { element in alternatives.contains { element.matches($0[...]) } }
  }

  /// Returns the closest element around this element, or the element itself, that matches a selector.
  public func closest(_ selector: String) -> PageElement? {
    let alternatives = Self.alternatives(selector)
    return sequence(first: self, next: \.parent).first { element in
      alternatives.contains { element.matches($0[...]) }
    }
  }

  private typealias Test = @Sendable (PageElement) -> Bool
  /// The parsed selectors: parsing is slow, and an exploration reads many documents.
  private static let parsed = Mutex<[String: [[[Test]]]]>([:])

  private func matches(_ steps: ArraySlice<[Test]>) -> Bool {
    guard let last = steps.last, last.allSatisfy({ $0(self) }) else { return false }
    let rest = steps.dropLast()
    guard !rest.isEmpty, let parent else { return rest.isEmpty }
    return sequence(first: parent, next: \.parent).contains { $0.matches(rest) }
  }

  private static func alternatives(_ selector: String) -> [[[Test]]] {
    if let known = parsed.withLock({ $0[selector] }) { return known }
    let alternatives = selector.matches(of: /(?:\[[^\]]*\]|[^,\[])+/).map { alternative in
      alternative.0.matches(of: /(?:\[[^\]]*\]|[^\s\[])+/).map { tests(of: $0.0) }
    }
    parsed.withLock { $0[selector] = alternatives }
    return alternatives
  }

  /// Returns the conditions for a compound selector.
  private static func tests(of step: Substring) -> [Test] {
    let parts = step.matches(
      of:
        /:not\(([^)]+)\)|([a-z][a-z0-9]*)|#([\w-]+)|\.([\w-]+)|\[([\w:-]+)(?:=['"]?([^\]'"]*)['"]?)?\]/
    )
    precondition(
      !parts.isEmpty && parts.map(\.0.count).reduce(0, +) == step.count,
      "\(step) is not a supported selector")
    return parts.map { part -> Test in
      if let inner = part.1 {
        let inner = tests(of: inner)
        return { element in !inner.allSatisfy { $0(element) } }
      }
      if let name = part.2 { return { $0.name == name } }
      if let id = part.3 { return { $0.attributes["id"].map { $0 == id } ?? false } }
      if let style = part.4 { return { $0.classes.contains(style) } }
      let (name, value) = (String(part.5 ?? ""), part.6)
      return { $0.attributes[name].map { value == nil || $0 == value! } ?? false }
    }
  }

  /// Returns whether an element matches a selector.
  public func has(_ selector: String) -> Bool { !matching(selector).isEmpty }

  /// Returns the number of elements that match a selector.
  public func count(_ selector: String) -> Int { matching(selector).count }

  /// Returns the text of the first element that matches a selector.
  public func text(_ selector: String) -> String? { matching(selector).first?.text }

  /// Returns the texts of the elements that match a selector.
  public func texts(_ selector: String) -> [String] { matching(selector).map(\.text) }

  /// Returns an attribute of the first element that matches a selector.
  public func attribute(_ name: String, of selector: String) -> String? {
    matching(selector).first?.attributes[name]
  }

  /// Returns the values of an attribute of the elements that match a selector, skipping elements without it.
  public func attributes(_ name: String, of selector: String) -> [String] {
    matching(selector).compactMap { $0.attributes[name] }
  }
}
