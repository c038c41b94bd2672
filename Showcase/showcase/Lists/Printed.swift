package import CurlewTerminal
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

/// The name and the value of an item's property.
package typealias Fact = (name: String, value: String)

extension [Fact] {
  /// Returns a line for each nonempty value, for a command; in a terminal, the first names the sandbox.
  package func card(on terminal: Terminal, isFictitious: Bool) -> String {
    let source = isFictitious && terminal.width != nil ? " (sandbox data)" : ""
    return filter { !$0.value.isEmpty }.enumerated().map { index, fact in
      fact.name.padded(to: 13).styled("2", on: terminal) + fact.value.printable
        + (index == 0 ? source : "") + "\n"
    }.joined()
  }
}
