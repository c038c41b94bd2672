/// A type whose values a store keeps once for each id, wherever they are shown.
///
/// ```swift
/// extension Repository: Entity {}
/// ```
///
/// A newer value replaces an older value as a whole. A type with fewer fields, such as a list's row, is an
/// ``EntityView``.
public protocol Entity: EntityView where Whole == Self {}

extension Entity {
  /// Creates a copy of the value.
  public init(_ whole: Self) { self = whole }

  /// Replaces the other value by this value.
  public func apply(to whole: inout Self) { whole = self }
}

/// A type that holds some of an entity's fields, such as a list's row.
///
/// ```swift
/// extension RepositoryRow: EntityView {
///   init(_ whole: Repository) { self.init(id: whole.id, name: whole.name, isStarred: whole.isStarred) }
///   func apply(to whole: inout Repository) { (whole.name, whole.isStarred) = (name, isStarred) }
/// }
/// ```
///
/// A received row updates the whole entity, and is created again when the whole changes. While the whole is unknown, the
/// store keeps the row itself.
public protocol EntityView<Whole>: Identifiable, Equatable, Sendable where ID: Sendable {
  /// The entity.
  associatedtype Whole: Entity where Whole.ID == ID

  /// Creates the view of an entity.
  init(_ whole: Whole)

  /// Sets the entity's fields that the view holds.
  func apply(to whole: inout Whole)
}
