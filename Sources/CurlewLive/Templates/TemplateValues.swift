public import Mustache

/// A value that a template shows.
///
/// The names of its properties are known statically, so that an ``HTMLTemplate`` rejects other names when it is parsed.
///
/// ```swift
/// struct BirdRow: TemplateValues {
///   let name: String
///   let habitats: [String]
///   var isRare: Bool { habitats.isEmpty }
///
///   static let names: TemplateNames<Self> = ["name": \.name, "habitats": \.habitats, "isRare": \.isRare]
/// }
/// ```
///
/// | property | in a template |
/// | --- | --- |
/// | text, a number, anything else with a description | `{{name}}`, escaped |
/// | `Bool` | `{{#isRare}}…{{/isRare}}`; `{{^isRare}}…{{/isRare}}` if it is false |
/// | other `TemplateValues` | `{{#place}}{{town}}{{/place}}`, or `{{place.town}}` |
/// | an array | `{{#habitats}}…{{/habitats}}` for each element; `{{.}}` is an element that is not a `TemplateValues` |
/// | an optional of these | nothing if it is `nil`; `{{#note}}…{{/note}}` if it is present, even if it is 0 or empty |
/// | ``HTML``, ``LivePiece`` | `{{{body}}}`, not escaped |
public protocol TemplateValues: MustacheParent {
  /// The names in templates and the properties that they refer to; a stored property of the type (`static let`).
  static var names: TemplateNames<Self> { get }
}

extension TemplateValues {
  /// Returns the property with a name, as Mustache renders it; `nil` for an unknown name.
  public func child(named name: String) -> Any? {
    Self.names.paths[name].map { rendered(self[keyPath: $0]) }
  }

  static func type(of name: String) -> Any.Type? {
    names.paths[name].map { Swift.type(of: $0).valueType }
  }

  static var allNames: [String] { names.paths.keys.sorted() }
}

/// The names of a type's properties in templates.
public struct TemplateNames<Root>: ExpressibleByDictionaryLiteral, Sendable {
  let paths: [String: any PartialKeyPath<Root> & Sendable]

  /// Creates names; a duplicate name is a programming error.
  public init(dictionaryLiteral paths: (String, any PartialKeyPath<Root> & Sendable)...) {
    self.paths = Dictionary(uniqueKeysWithValues: paths)
  }
}
