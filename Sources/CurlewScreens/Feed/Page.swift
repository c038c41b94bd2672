public import Foundation

/// A page of a long list, with the key of the next page.
///
/// Lists with numbered pages, with cursors and with links to the next page (RFC 8288, as GitHub
/// does) differ only in that key:
///
/// ```swift
/// Page(movies, number: 2, of: 7, total: 140)
/// Page(messages, next: response.cursor.map { .cursor($0) })
/// Page(issues, next: response.head.headerFields.links.next.map { .link($0.target) })
/// ```
public struct Page<Item: Sendable>: Sendable {
  /// The items, in the order in which they are shown.
  public var items: [Item]
  /// The key of the next page; `nil` at the end of the list.
  public var next: PageKey?
  /// The number of items in the whole list; `nil` when the source does not report it.
  public var total: Int?
  /// Whether the source stopped before it had searched all its data.
  public var isPartial: Bool
  /// Descriptions of the malformed entries that were omitted, one sentence each.
  public var skippedEntries: [String]
  /// The time at which the page was last known to be current; `nil` when the source does not report
  /// it.
  public var asOf: Date?

  /// Creates a page.
  public init(
    _ items: [Item], next: PageKey? = nil, total: Int? = nil, isPartial: Bool = false,
    skippedEntries: [String] = [], asOf: Date? = nil
  ) {
    self.items = items
    self.next = next
    self.total = total
    self.isPartial = isPartial
    self.skippedEntries = skippedEntries
    self.asOf = asOf
  }

  /// Creates a page from its number, starting at 1, and the number of the last page.
  public init(_ items: [Item], number: Int, of last: Int, total: Int? = nil, asOf: Date? = nil) {
    self.init(items, next: number < last ? .number(number + 1) : nil, total: total, asOf: asOf)
  }

  /// Creates a page from a dated page, whose date takes precedence.
  init(_ dated: Dated<Page<Item>>) {
    self = dated.value
    asOf = dated.asOf ?? asOf
  }
}

extension Page: Equatable where Item: Equatable {}

extension Page: Codable where Item: Codable {}

/// The key by which a source identifies a page.
public enum PageKey: Hashable, Sendable, Codable {
  /// A page's number, starting at 1.
  case number(Int)
  /// An opaque cursor that only the source understands.
  case cursor(String)
  /// A page's URL.
  case link(String)

  /// The page's number; `nil` for another kind of key.
  public var number: Int? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The opaque cursor; `nil` for another kind of key.
  public var cursor: String? {
    if case .cursor(let cursor) = self { cursor } else { nil }
  }
}
