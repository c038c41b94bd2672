public import Mustache

/// A Mustache template for values of a type.
///
/// Parsing it checks every tag, including the tags in sections and partials; `{{ }}` escapes text for HTML.
///
/// In a section for values, or for a list of values, their names take precedence over the names outside; a partial sees
/// the names that are visible where it is used. Pieces among the values are rendered separately (``LivePiece``).
/// Lambdas, inheritance and other delimiters are not supported.
public struct HTMLTemplate<Values: TemplateValues>: Sendable {
  private let template: MustacheTemplate
  private let library: MustacheLibrary
  /// For each piece, the path of names that leads to it.
  private let pieces: [[String]]

  /// Creates a template by parsing its text.
  ///
  /// - Parameters:
  ///   - text: The text of the template.
  ///   - partials: The texts of the partials, keyed by the name in `{{> name}}`.
  /// - Throws: ``HTMLTemplateError`` for a tag that doesn't fit the values; a Mustache error for text that is not a
  ///   valid template.
  public init(_ text: String, partials: [String: String] = [:]) throws {
    template = try MustacheTemplate(html: text)
    library = MustacheLibrary(
      templates: try partials.mapValues { try MustacheTemplate(html: $0) })
    var check = TemplateCheck(partials: partials)
    try check.run(text, for: Values.self)
    pieces = check.pieces.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Renders values.
  public func callAsFunction(_ values: Values) -> HTML {
    let pieces = pieces.compactMap { Self.piece($0[...], of: values) }
    // Pieces with the same name, in values that are both present, can't be told apart by their markers.
    guard Set(pieces.map(\.name)).count == pieces.count else {
      return LivePiece.$isWhole.withValue(true) {
        HTML(trusted: template.render(values, library: library))
      }
    }
    return HTML(trusted: template.render(values, library: library), pieces: pieces)
  }

  private static func piece(_ names: ArraySlice<String>, of values: Any) -> LivePiece? {
    guard let name = names.first else { return values as? LivePiece }
    return (values as? any MustacheParent)?.child(named: name)
      .flatMap { piece(names.dropFirst(), of: $0) }
  }
}

/// The error for a template tag that doesn't fit the values.
public struct HTMLTemplateError: Error, Equatable, CustomStringConvertible {
  /// The name of the partial; `nil` for the template itself.
  public let partial: String?
  /// The line number in the template or the partial, starting at 1.
  public let line: Int
  /// A description of the problem and its fix.
  public let reason: String

  /// The partial, the line and the reason in one line.
  public var description: String {
    "\(partial.map { "partial \"\($0)\", " } ?? "")line \(line): \(reason)"
  }
}

extension MustacheTemplate {
  /// Creates a template, or a partial, whose values are escaped for HTML.
  ///
  /// Templates from other initializers escape by `Character`: they don't escape a `<` or a quote that forms a single
  /// character with an adjacent scalar, such as U+0600 or U+0301.
  ///
  /// - Throws: A Mustache error if the text is not a valid template.
  public init(html text: String) throws {
    MustacheContentTypes.register(EscapedText(), named: EscapedText.name)
    // On its own line, which renders as nothing and does not affect the text's first line.
    try self.init(string: "{{% CONTENT_TYPE: \(EscapedText.name)}}\n" + text)
  }
}

/// A content type whose text is escaped by Unicode scalars.
private struct EscapedText: MustacheContentType {
  static let name = "CurlewLive"

  func escapeText(_ text: String) -> String { HTML.escape(text) }
}

/// The value in place of `nil`: Mustache renders an optional in `Any` without a value as `nil`, and its section as if it
/// had a value; and for an absent property, it takes the outer value with the same name.
private struct AbsentValue: MustacheCustomRenderable {
  let renderText = ""
  let isNull = true
}

/// A container that may have absent values.
private protocol RenderedContainer {
  /// The value to render, with an ``AbsentValue`` in place of each `nil`.
  var rendered: Any { get }
}

/// Returns the value that Mustache renders for a value.
func rendered(_ value: Any) -> Any { (value as? any RenderedContainer)?.rendered ?? value }

extension Optional: RenderedContainer {
  fileprivate var rendered: Any { map { CurlewLive.rendered($0) } ?? AbsentValue() }
}

extension Array: RenderedContainer {
  fileprivate var rendered: Any {
    // Other elements can't be absent; `Any` is not a protocol that conforms to itself.
    Element.self is any RenderedContainer.Type || Element.self == Any.self
      || Element.self == (any Sendable).self ? map { CurlewLive.rendered($0) } : self
  }
}

extension Dictionary: RenderedContainer where Key == String {
  fileprivate var rendered: Any { mapValues { CurlewLive.rendered($0) } }
}

extension HTML: MustacheCustomRenderable, MustacheParent {
  /// The markup, for `{{{ }}}`.
  public var renderText: String { text }

  /// False: a section shows it.
  public var isNull: Bool { false }

  /// Returns `nil`: it has no names.
  public func child(named name: String) -> Any? { nil }
}

extension LivePiece: MustacheCustomRenderable, MustacheParent {
  /// Whether pieces are rendered as their markup instead of their markers.
  @TaskLocal static var isWhole = false

  /// The marker, for `{{{ }}}`.
  public var renderText: String { Self.isWhole ? content.text : marker }

  /// False: a section shows it.
  public var isNull: Bool { false }

  /// Returns `nil`: it has no names.
  public func child(named name: String) -> Any? { nil }
}
