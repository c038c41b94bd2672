/// The name of a screen's work: at most one load, stream or timer has a given name at a time.
///
/// Names are local to a part of the screen: two feeds in one parent, each in its own
/// ``Work/scope(_:named:_:)``, can both use the name "feed". A name may be computed.
///
/// ```swift
/// work.latest("row \(id)") { try await load(id) } finished: { … }
/// work.cancel(.search.in(\State.from))          // a parent names the work of its part
/// ```
public struct WorkID: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The parts of the screen that contain the work, the outermost first.
  var parts: [PartID] = []
  /// The name within its part.
  package let name: String

  /// Creates a name.
  public init(stringLiteral name: String) {
    self.name = name
  }

  /// Returns the name of this work in the parent of its part.
  ///
  /// - Parameters:
  ///   - part: The key path of the part's state.
  ///   - element: The part's id, if it has an id, such as a list's row or a presented part.
  public func `in`<Root, Part>(
    _ part: any KeyPath<Root, Part> & Sendable, id element: (any Hashable & Sendable)? = nil
  ) -> WorkID {
    inside(PartID(keyPath: part, element: element.map { ElementID($0) }))
  }

  func inside(_ part: PartID) -> WorkID {
    var id = self
    id.parts.insert(part, at: 0)
    return id
  }
}

extension WorkID: CustomStringConvertible {
  /// The name, preceded by the names of its parts: `from.search`, `rows[7].like`.
  public var description: String {
    (parts.map(\.description).filter { !$0.isEmpty } + [name]).joined(separator: ".")
  }
}

/// The identity of a part of a screen: the key path of its state in the parent's state, and the id
/// of an element.
struct PartID: Sendable, Hashable, CustomStringConvertible {
  let keyPath: any AnyKeyPath & Sendable
  /// The id that distinguishes parts with the same key path: elements of a list, or values
  /// presented one after another.
  var element: ElementID?
  /// A name for traces; it is not part of the identity.
  var label: String?

  static func == (lhs: PartID, rhs: PartID) -> Bool {
    lhs.element == rhs.element && lhs.keyPath == rhs.keyPath
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(element)
  }

  var description: String {
    // A key path's description begins with its root: `\State.from`.
    let property = String("\(keyPath)".drop { $0 != "." }.dropFirst())
    // The part has the state of its parent.
    return (label ?? (property == "self" ? "" : property)) + (element.map { "[\($0.id)]" } ?? "")
  }
}

/// A type-erased id of an element.
// @unchecked because AnyHashable is not Sendable. The wrapped id is: it belongs to a value in a
// screen's state, and is never modified.
struct ElementID: @unchecked Sendable, Hashable {
  let id: AnyHashable

  init(_ id: some Hashable) {
    self.id = AnyHashable(id)
  }

  /// Creates the id of a value; `nil` if the value is not `Identifiable`.
  init?(of value: some Any) {
    func id(of value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
    guard let value = value as? any Identifiable else { return nil }
    self.id = id(of: value)
  }
}
