public import Foundation

/// A page of a list in a server's response, and information about the rest of the list.
public struct Listing<Item: Sendable>: Sendable {
  /// The items of the page, in the server's order.
  public var items: [Item]
  /// The number of the next page, from 1; `nil` for the last page.
  public var nextPage: Int?
  /// The number of items in the whole list, if the server sends it.
  public var total: Int?
  /// Whether the server's search timed out before it was complete.
  public var isIncomplete: Bool
  /// The skipped entries, which could not be decoded.
  public var damaged: [DamagedEntry]
  /// The time as of which the page is current; `nil` if unknown.
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

/// An entry of a list that could not be decoded.
public struct DamagedEntry: Equatable, Sendable {
  /// The zero-based index in the server's response.
  public let index: Int
  /// The decoding error and its coding path: for logs, not for users.
  public let reason: String

  /// Creates a damaged entry.
  public init(index: Int, reason: String) {
    self.index = index
    self.reason = reason
  }
}
