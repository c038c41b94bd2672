import Domain
package import Foundation

/// An item that commands print as a row of a table, and as JSON.
package protocol Printed: Identifiable, Sendable where ID: Sendable {
  /// The names of one item and of several items.
  static var noun: (one: String, many: String) { get }

  /// The maximum number of items that a server lists; `nil` for no limit.
  static var most: Int? { get }
  /// The time as of which the item is current; `nil` if unknown.
  var asOf: Date? { get }

  /// Returns the table's columns; a narrow table omits the rightmost columns first.
  static func columns(now: Date) -> [Column<Self>]

  /// Returns the item for scripts; unknown values are null.
  static func json(_ item: Self) -> JSONObject
}

extension Printed {
  package static var most: Int? { nil }
  package var asOf: Date? { nil }
}
