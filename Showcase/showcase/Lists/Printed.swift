import Domain
import Foundation

/// A kind of thing that commands print: as rows of a table, and as JSON.
protocol Printed: Identifiable, Sendable where ID: Sendable {
  associatedtype Document: Encodable

  /// What one and several of them are called.
  static var noun: (one: String, many: String) { get }

  /// How many of them a server lists at most, whatever their number.
  static var most: Int? { get }

  /// The columns of a table, and a row for each thing.
  static func table(of list: Loaded<Self>, isColoured: Bool, now: Date) -> Table

  /// The things as scripts get them.
  static func documents(of list: Loaded<Self>) -> [Document]
}

extension Printed {
  static var most: Int? { nil }
}
