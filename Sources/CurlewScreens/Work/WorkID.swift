/// The name of a screen's work: at most one load, stream or timer has it at a time.
///
/// A name belongs to the part of the screen that uses it: two feeds in one parent, each in a
/// ``Work/scope(_:named:_:)`` of its own, never meet although both say "feed". A name may be
/// computed.
///
/// ```swift
/// work.latest("row \(id)") { try await load(id) } finished: { … }
/// work.cancel(.search.in(\State.from))          // a parent names the work of its part
/// ```
public struct WorkID: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The parts of the screen that the work is in, the outermost first.
  var parts: [PartID] = []
  /// The name within its part.
  public let name: String

  /// Creates a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates a name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// Returns this name inside a part of the screen that has no id, as the part's own work has it.
  public func `in`<Root, Part>(_ part: any KeyPath<Root, Part> & Sendable) -> WorkID {
    inside(PartID(keyPath: part))
  }

  /// Returns this name inside one of many parts, or inside a part that is presented and has an id.
  public func `in`<Root, Part>(
    _ part: any KeyPath<Root, Part> & Sendable, id element: some Hashable & Sendable
  ) -> WorkID {
    inside(PartID(keyPath: part, element: ElementID(element)))
  }

  func inside(_ part: PartID) -> WorkID {
    var id = self
    id.parts.insert(part, at: 0)
    return id
  }
}

extension WorkID: CustomStringConvertible {
  /// The name after those of its parts: `from.search`, `rows[7].like`.
  public var description: String { (parts.map(\.description) + [name]).joined(separator: ".") }
}

/// A part of a screen: where its state is in its parent's, and for one of many its id.
struct PartID: Sendable, Hashable, CustomStringConvertible {
  let keyPath: any AnyKeyPath & Sendable
  /// Tells apart what may be at the same place: elements of a list, things presented.
  var element: ElementID?
  /// A name for traces; it does not tell parts apart.
  var label: String?

  static func == (lhs: PartID, rhs: PartID) -> Bool {
    lhs.element == rhs.element && lhs.keyPath == rhs.keyPath
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(element)
  }

  var description: String {
    // The debugger's form of a key path begins with its root: `\State.from`.
    let property = "\(keyPath)".drop { $0 != "." }.dropFirst()
    return (label ?? String(property)) + (element.map { "[\($0.id)]" } ?? "")
  }
}

/// The id of an element, whatever its type.
// @unchecked because AnyHashable forgets that what it holds is Sendable: it is the id of a value
// that is part of a screen's state, and never changed.
struct ElementID: @unchecked Sendable, Hashable {
  let id: AnyHashable

  init(_ id: some Hashable) {
    self.id = AnyHashable(id)
  }

  /// The id of a value; `nil` for one that has none.
  init?(of value: some Any) {
    func id(of value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
    guard let value = value as? any Identifiable else { return nil }
    self.id = id(of: value)
  }
}
