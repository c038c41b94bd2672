public import Foundation

/// A page of a list as a server gave it, and what is known of the rest.
public struct Listing<Item: Sendable>: Sendable {
  /// The items of the page, in the server's order.
  public var items: [Item]
  /// The number of the page after this one, from 1; `nil` at the end.
  public var nextPage: Int?
  /// How many items the whole list has, where the server tells.
  public var total: Int?
  /// Whether the server gave up before it had looked everywhere.
  public var isIncomplete: Bool
  /// The entries that could not be read and were left out.
  public var damaged: [DamagedEntry]
  /// When the server last said so; `nil` when that is not known.
  public var asOf: Date?

  /// Creates a page.
  public init(
    _ items: [Item], nextPage: Int? = nil, total: Int? = nil, isIncomplete: Bool = false,
    damaged: [DamagedEntry] = [], asOf: Date? = nil
  ) {
    self.items = items
    self.nextPage = nextPage
    self.total = total
    self.isIncomplete = isIncomplete
    self.damaged = damaged
    self.asOf = asOf
  }
}

extension Listing: Equatable where Item: Equatable {}

/// An entry of a list that could not be read.
public struct DamagedEntry: Equatable, Sendable {
  /// Its index in the server's response, from 0.
  public let index: Int
  /// What is wrong with it, and where in it: for a log, not for users.
  public let reason: String

  /// Creates a report.
  public init(index: Int, reason: String) {
    self.index = index
    self.reason = reason
  }
}
