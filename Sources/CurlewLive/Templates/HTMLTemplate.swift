public import Mustache

/// A Mustache template for values of a type: reading it checks each of its tags, those in sections and partials too, and
/// `{{ }}` escapes texts for HTML.
///
/// A section of values, or of a list of them, sees their names before those around it, and so does a partial. A piece of
/// the values is rendered on its own (``LivePiece``). There are no lambdas, no inheritance and no other delimiters.
public struct HTMLTemplate<Values: TemplateValues>: Sendable {
  private let template: MustacheTemplate
  private let library: MustacheLibrary
  /// For each piece the names that lead to it.
  private let pieces: [[String]]

  /// Reads a template.
  ///
  /// - Parameter partials: The texts of templates by the names that others use them by: `{{> name}}`.
  /// - Throws: ``HTMLTemplateError`` for a tag that the values don't fit; an error of Mustache for a text that is no
  ///   template.
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
    // Two of one name, in values that are both there, can't be told apart.
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

/// A tag of a template that the values don't fit.
public struct HTMLTemplateError: Error, Equatable, CustomStringConvertible {
  /// The name of the partial; `nil` for the template itself.
  public let partial: String?
  /// The line in it, from 1.
  public let line: Int
  /// What is wrong, and what would be right.
  public let reason: String

  /// All of it in one line.
  public var description: String {
    "\(partial.map { "partial \"\($0)\", " } ?? "")line \(line): \(reason)"
  }
}

extension MustacheTemplate {
  /// Reads a template, or a part of one, whose values are escaped for HTML.
  ///
  /// The templates of other initializers escape by `Character`, so that `<` and quotes stay as they
  /// are where they form one character with what is before or after them, such as U+0600 and U+0301.
  ///
  /// - Throws: When the text is no template.
  public init(html text: String) throws {
    MustacheContentTypes.register(EscapedText(), named: EscapedText.name)
    // On a line of its own, which leaves nothing behind, and the text's first line as it is.
    try self.init(string: "{{% CONTENT_TYPE: \(EscapedText.name)}}\n" + text)
  }
}

/// Text that is escaped by Unicode scalars.
private struct EscapedText: MustacheContentType {
  static let name = "CurlewLive"

  func escapeText(_ text: String) -> String { HTML.escape(text) }
}

/// Without this, an optional in a dictionary of `Any`, or in a list, is rendered as `nil`, and a
/// section for it as if it were present.
extension Optional: @retroactive MustacheCustomRenderable {
  /// The text of the value; empty for none.
  public var renderText: String {
    guard let value = self else { return "" }
    return (value as? any MustacheCustomRenderable)?.renderText ?? String(describing: value)
  }

  /// Whether there is no value.
  public var isNull: Bool {
    guard let value = self else { return true }
    return (value as? any MustacheCustomRenderable)?.isNull ?? false
  }
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
  /// Whether pieces are shown by their markup, instead of their markers.
  @TaskLocal static var isWhole = false

  /// The marker, for `{{{ }}}`.
  public var renderText: String { Self.isWhole ? content.text : marker }

  /// False: a section shows it.
  public var isNull: Bool { false }

  /// Returns `nil`: it has no names.
  public func child(named name: String) -> Any? { nil }
}
