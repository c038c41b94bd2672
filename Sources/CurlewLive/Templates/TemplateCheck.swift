/// Checks that a template's tags fit the type of its values.
struct TemplateCheck {
  /// What names are looked up in.
  private struct Scope {
    let shape: TemplateShape
    /// The names that lead to it from the values; `nil` for an element of a list.
    let path: [String]?
  }

  private let parts: [String: String]
  /// For each piece the names that lead to it.
  private(set) var pieces: Set<[String]> = []
  private var part: String?
  /// The parts within which the present one is.
  private var open: [String] = []

  init(parts: [String: String]) { self.parts = parts }

  mutating func run(_ text: String, for type: Any.Type) throws(HTMLTemplateError) {
    try check(text, in: [Scope(shape: TemplateShape(type), path: [])])
  }

  private mutating func check(_ text: String, in scopes: [Scope]) throws(HTMLTemplateError) {
    var scopes = scopes
    /// For each open section whether it has a scope of its own.
    var sections: [Bool] = []
    for tag in TemplateTags(text) {
      switch tag.kind {
      case .text, .markup:
        guard let value = try value(tag, in: scopes) else { continue }
        try checkText(value, of: tag)
      case .section:
        let value = try value(tag, in: scopes)
        let isScope = value.map { !$0.shape.isFlag } ?? false
        if let value, isScope {
          scopes.append(Scope(shape: value.shape, path: value.shape.isList ? nil : value.path))
        }
        sections.append(isScope)
      case .invertedSection:
        _ = try value(tag, in: scopes)
        sections.append(false)
      case .block: sections.append(false)
      case .end: if sections.popLast() == true { scopes.removeLast() }
      case .part, .parent:
        if tag.kind == .parent { sections.append(false) }
        try checkPart(tag, in: scopes)
      }
    }
  }

  private mutating func checkText(
    _ value: Scope, of tag: TemplateTags.Tag
  ) throws(HTMLTemplateError) {
    guard value.shape.isText else {
      throw error(tag, "\"\(tag.name)\" is no text: use a section, {{#\(tag.name)}}.")
    }
    if tag.kind == .text, value.shape.isMarkup {
      throw error(tag, "\"\(tag.name)\" is markup, which is shown by {{{\(tag.name)}}}.")
    }
    guard tag.kind == .markup else { return }
    guard value.shape.isMarkup else {
      throw error(
        tag, "\"\(tag.name)\" is shown without being escaped, and is no HTML: use {{\(tag.name)}}.")
    }
    guard value.shape.isPiece else { return }
    guard let path = value.path else {
      throw error(tag, "The piece \"\(tag.name)\" is in a list, which can't have pieces.")
    }
    pieces.insert(path)
  }

  private mutating func checkPart(
    _ tag: TemplateTags.Tag, in scopes: [Scope]
  ) throws(HTMLTemplateError) {
    guard let text = parts[tag.name] else {
      throw error(
        tag, "There is no part \"\(tag.name)\"; there are \(parts.keys.sorted().listed).")
    }
    // It was checked, or is being checked: one that has itself as a part.
    guard !open.contains(tag.name) else { return }
    let outer = part
    (part, open) = (tag.name, open + [tag.name])
    try check(text, in: scopes)
    (part, open) = (outer, open.dropLast())
  }

  /// Returns what a tag's name stands for; `nil` for a transform's, which is of the list around it.
  private func value(
    _ tag: TemplateTags.Tag, in scopes: [Scope]
  ) throws(HTMLTemplateError) -> Scope? {
    guard let innermost = scopes.last, !tag.name.isEmpty else { return nil }
    if tag.name == "." {
      return Scope(shape: TemplateShape(innermost.shape.type), path: innermost.path)
    }
    let names = tag.name.split(separator: ".").map { String($0) }
    var known = tag.name.hasPrefix(".") ? [innermost] : scopes.reversed()
    var value: Scope?
    for name in names {
      value = known.lazy.compactMap { Self.child(name, of: $0) }.first
      guard let value else {
        let all = Set(known.flatMap { $0.shape.values?.allNames ?? [] }).sorted()
        throw error(tag, "Nothing is called \"\(name)\" here; there are \(all.listed).")
      }
      known = [value]
    }
    return value
  }

  private static func child(_ name: String, of scope: Scope) -> Scope? {
    guard let type = scope.shape.values?.type(of: name) else { return nil }
    return Scope(shape: TemplateShape(type), path: scope.path.map { $0 + [name] })
  }

  private func error(_ tag: TemplateTags.Tag, _ reason: String) -> HTMLTemplateError {
    HTMLTemplateError(part: part, line: tag.line, reason: reason)
  }
}

extension [String] {
  fileprivate var listed: String { isEmpty ? "none" : joined(separator: ", ") }
}
