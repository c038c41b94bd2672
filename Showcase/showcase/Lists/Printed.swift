import Domain
package import Foundation

/// A kind of thing that commands print: as rows of a table, and as JSON.
package protocol Printed: Identifiable, Sendable where ID: Sendable {
  /// What one and several of them are called.
  static var noun: (one: String, many: String) { get }

  /// How many of them a server lists at most, whatever their number.
  static var most: Int? { get }
  /// When the server said so; `nil` when that is not known.
  var asOf: Date? { get }

  /// The columns of a table: those at the right go first where there is no space.
  static func columns(now: Date) -> [Column<Self>]

  /// A thing as scripts get it; what is not known is `null`.
  static func json(_ item: Self) -> JSONObject
}

extension Printed {
  package static var most: Int? { nil }
  package var asOf: Date? { nil }
}
