import Foundation
import Mustache

/// The ways in which a template can use a type.
struct TemplateShape {
  /// The type, unwrapped from optionals and from the list.
  let type: Any.Type
  /// Whether the type is a list, or an optional list.
  var isList = false

  init(_ type: Any.Type) {
    var type = type
    while let container = type as? any TemplateContainer.Type, !(isList && container.isList) {
      isList = isList || container.isList
      type = container.content
    }
    self.type = type
  }

  var values: (any TemplateValues.Type)? { type as? any TemplateValues.Type }
  var isFlag: Bool { type == Bool.self && !isList }
  /// Whether the value is markup, which needs three braces.
  var isMarkup: Bool { type == HTML.self || isPiece }
  var isPiece: Bool { type == LivePiece.self }

  /// Whether a tag can show the value directly, without a section.
  var isText: Bool { values == nil && !isList && !isContainer && !isTemplate }

  /// Whether a section for the value can be checked, because all names in it are known.
  var canBeSection: Bool {
    values != nil || isMarkup || Self.leaves.contains { $0 == type }
  }

  private var isContainer: Bool { type is any TemplateContainer.Type }

  /// Whether the value may be parsed as a template, in which untrusted text could contain tags.
  private var isTemplate: Bool {
    type == MustacheTemplate.self || type == MustacheLambda.self
      || ["Any", "AnyHashable"].contains("\(type)")
      || "\(type)".hasPrefix("any ") || "\(type)".contains("->")
  }

  private static let leaves: [Any.Type] = [
    Bool.self, String.self, Substring.self, Character.self, Int.self, Int8.self, Int16.self,
    Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
    Double.self, Float.self, Date.self, URL.self, UUID.self,
  ]

  /// Returns the shape after a Mustache transform; `nil` if the transform is unknown, doesn't
  /// apply, or can overflow.
  func transformed(by name: String) -> TemplateShape? {
    switch name {
    case "empty", "even", "odd", "equalzero": TemplateShape(Bool.self)
    case "count": isList ? TemplateShape(Int.self) : nil
    case "first", "last": isList ? element : nil
    case "reversed", "sorted": self
    case "capitalized", "lowercased", "uppercased": isList || isMarkup ? nil : self
    default: nil
    }
  }

  private var element: TemplateShape {
    var shape = self
    shape.isList = false
    return shape
  }
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
