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
/// A property is text (`{{name}}`), a `Bool` (`{{#isRare}}`), other such values, a list (`{{#habitats}}`), an optional of
/// these, markup (``HTML``, `{{{body}}}`), or a piece of the page (``LivePiece``, `{{{rows}}}`). An absent value is
/// rendered as nothing.
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

/// What a template can do with a type.
struct TemplateShape {
  /// The type without the optionals and lists around it.
  let type: Any.Type
  /// Whether it is a list, or an optional one.
  let isList: Bool

  init(_ type: Any.Type) {
    var (type, isList) = (type, false)
    while let container = type as? any TemplateContainer.Type {
      isList = isList || container.isList
      type = container.content
    }
    (self.type, self.isList) = (type, isList)
  }

  var values: (any TemplateValues.Type)? { type as? any TemplateValues.Type }
  var isFlag: Bool { type == Bool.self && !isList }
  /// Whether it is shown by three braces, because it is markup.
  var isMarkup: Bool { type == HTML.self || isPiece }
  var isPiece: Bool { type == LivePiece.self }
  /// Whether it is shown by a tag of its own.
  var isText: Bool { values == nil && !isList }
}

/// An optional or a list.
private protocol TemplateContainer {
  static var content: Any.Type { get }
  static var isList: Bool { get }
}

extension Optional: TemplateContainer {
  fileprivate static var content: Any.Type { Wrapped.self }
  fileprivate static var isList: Bool { false }
}

extension Array: TemplateContainer {
  fileprivate static var content: Any.Type { Element.self }
  fileprivate static var isList: Bool { true }
}
