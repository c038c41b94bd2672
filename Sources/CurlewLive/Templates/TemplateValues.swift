public import Mustache

/// A value that a template shows: its properties have names in templates that are known before there is a value, so
/// that an ``HTMLTemplate`` refuses other names when it is read.
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
/// | `Bool` | `{{#isRare}}…{{/isRare}}`; `{{^isRare}}…{{/isRare}}` where it is false |
/// | other values | `{{#place}}{{town}}{{/place}}`, or `{{place.town}}` |
/// | an array | `{{#habitats}}…{{/habitats}}` for each; an element that is no values is `{{.}}` |
/// | an optional of these | nothing while it is absent; `{{#note}}…{{/note}}` where it is there, also if it is 0 or empty |
/// | ``HTML``, ``LivePiece`` | `{{{body}}}`, not escaped |
public protocol TemplateValues: MustacheParent {
  /// The names in templates and the properties that they stand for; a stored property of the type (`static let`).
  static var names: TemplateNames<Self> { get }
}

extension TemplateValues {
  /// Returns the property with a name; `nil` for none.
  public func child(named name: String) -> Any? {
    Self.names.paths[name].map { self[keyPath: $0] }
  }

  static func type(of name: String) -> Any.Type? {
    names.paths[name].map { Swift.type(of: $0).valueType }
  }

  static var allNames: [String] { names.paths.keys.sorted() }
}

/// The names of a type's properties in templates.
public struct TemplateNames<Root>: ExpressibleByDictionaryLiteral, Sendable {
  let paths: [String: any PartialKeyPath<Root> & Sendable]

  /// Creates names; the same twice is a programmer's error.
  public init(dictionaryLiteral paths: (String, any PartialKeyPath<Root> & Sendable)...) {
    self.paths = Dictionary(uniqueKeysWithValues: paths)
  }
}
