/// Checks that a template's tags fit the type of its values.
struct TemplateCheck {
  /// A scope in which names are looked up.
  private struct Scope {
    var shape: TemplateShape
    /// The path of names from the template's values; `nil` for an element of a list.
    var path: [String]?
  }

  private let partials: [String: String]
  /// For each piece, the path of names that leads to it.
  private(set) var pieces: Set<[String]> = []
  /// The names of the partials that contain the current tag, outermost first.
  private var open: [String] = []

  init(partials: [String: String]) { self.partials = partials }

  mutating func run(_ text: String, for type: Any.Type) throws(HTMLTemplateError) {
    try check(text, in: [Scope(shape: TemplateShape(type), path: [])])
  }

  private mutating func check(_ text: String, in scopes: [Scope]) throws(HTMLTemplateError) {
    var scopes = scopes
    /// For each open section, whether it has its own scope.
    var sections: [Bool] = []
    for tag in TemplateTags(text) {
      switch tag.kind {
      case .text, .markup:
        if let value = try value(tag, in: scopes) { try checkText(value, of: tag) }
      case .section:
        let scope = try scope(tag, in: scopes)
        if let scope { scopes.append(scope) }
        sections.append(scope != nil)
      case .invertedSection:
        _ = try value(tag, in: scopes)
        sections.append(false)
      case .end: if sections.popLast() == true { scopes.removeLast() }
      case .partial: try checkPartial(tag, in: scopes)
      case .unsupported(let what): throw error(tag, "A template of values can't \(what).")
      }
    }
  }

  /// Returns a section's own scope; `nil` if the section uses the scopes around it.
  private func scope(
    _ tag: TemplateTags.Tag, in scopes: [Scope]
  ) throws(HTMLTemplateError) -> Scope? {
    guard let value = try value(tag, in: scopes), !value.shape.isFlag else { return nil }
    guard value.shape.canBeSection else {
      throw error(
        tag, "A \(value.shape.type) has no names: let it conform to TemplateValues.")
    }
    var scope = value
    if value.shape.isList { scope.path = nil }
    scope.shape.isList = false
    return scope
  }

  private mutating func checkText(
    _ value: Scope, of tag: TemplateTags.Tag
  ) throws(HTMLTemplateError) {
    guard value.shape.isText else {
      throw error(tag, "\"\(tag.name)\" is not text: use a section, {{#\(tag.name)}}.")
    }
    if tag.kind == .text, value.shape.isMarkup {
      throw error(tag, "\"\(tag.name)\" is markup: use {{{\(tag.name)}}}.")
    }
    guard tag.kind == .markup else { return }
    guard value.shape.isMarkup else {
      throw error(
        tag, "\"\(tag.name)\" is not HTML and must be escaped: use {{\(tag.name)}}.")
    }
    guard value.shape.isPiece else { return }
    guard let path = value.path else {
      throw error(tag, "The piece \"\(tag.name)\" is in a list, which can't have pieces.")
    }
    pieces.insert(path)
  }

  private mutating func checkPartial(
    _ tag: TemplateTags.Tag, in scopes: [Scope]
  ) throws(HTMLTemplateError) {
    guard let text = partials[tag.name] else {
      throw error(
        tag, "There is no partial \"\(tag.name)\"; available: \(partials.keys.sorted().listed).")
    }
    // Rendering a recursive partial would not terminate.
    guard !open.contains(tag.name) else {
      throw error(tag, "The partial \"\(tag.name)\" includes itself.")
    }
    open.append(tag.name)
    try check(text, in: scopes)
    open.removeLast()
  }

  /// Returns the scope that a tag refers to; `nil` for a transform without a name, such as
  /// `first()`, which refers to the position in a list.
  private func value(
    _ tag: TemplateTags.Tag, in scopes: [Scope]
  ) throws(HTMLTemplateError) -> Scope? {
    guard let innermost = scopes.last else { return nil }
    if tag.name.isEmpty, !tag.transforms.isEmpty { return nil }
    let names = tag.name.split(separator: ".").map { String($0) }
    var value = innermost
    if tag.name != "." {
      guard !names.isEmpty else { throw error(tag, "The tag has no name.") }
      var known = tag.name.hasPrefix(".") ? [innermost] : scopes.reversed()
      for name in names {
        guard let child = known.lazy.compactMap({ Self.child(name, of: $0) }).first else {
          let all = Set(known.flatMap { $0.shape.values?.allNames ?? [] }).sorted()
          throw error(tag, "There is no value \"\(name)\" here; available: \(all.listed).")
        }
        (value, known) = (child, [child])
      }
    }
    for transform in tag.transforms {
      guard let shape = value.shape.transformed(by: transform) else {
        throw error(tag, "A template of values can't use \(transform)(\(tag.name)).")
      }
      value = Scope(shape: shape, path: nil)
    }
    return value
  }

  private static func child(_ name: String, of scope: Scope) -> Scope? {
    guard !scope.shape.isList, let type = scope.shape.values?.type(of: name) else { return nil }
    return Scope(shape: TemplateShape(type), path: scope.path.map { $0 + [name] })
  }

  private func error(_ tag: TemplateTags.Tag, _ reason: String) -> HTMLTemplateError {
    HTMLTemplateError(partial: open.last, line: tag.line, reason: reason)
  }
}

extension [String] {
  fileprivate var listed: String { isEmpty ? "none" : joined(separator: ", ") }
}
