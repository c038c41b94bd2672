/// A piece of a long list, and where the next one is.
///
/// Lists that count their pages, lists that hand out cursors and lists that name their next page
/// with a link (RFC 8288, as GitHub does) differ in the key of the next page only:
///
/// ```swift
/// Page(movies, number: 2, of: 7, total: 140)
/// Page(messages, next: response.cursor.map { .cursor($0) })
/// Page(issues, next: response.head.headerFields.links.next.map { .link($0.target) })
/// ```
public struct Page<Item: Sendable>: Sendable {
  /// The items, in the order in which they are shown.
  public var items: [Item]
  /// Where the list goes on; `nil` at its end.
  public var next: PageKey?
  /// How many items the whole list has, where its source tells.
  public var total: Int?
  /// Whether the source gave up before it had looked everywhere.
  public var isPartial: Bool
  /// What is wrong with entries that were left out, a sentence each.
  public var damages: [String]

  /// Creates a page.
  public init(
    _ items: [Item], next: PageKey? = nil, total: Int? = nil, isPartial: Bool = false,
    damages: [String] = []
  ) {
    self.items = items
    self.next = next
    self.total = total
    self.isPartial = isPartial
    self.damages = damages
  }

  /// Creates a page by its number, from 1, and the number of the last one.
  public init(_ items: [Item], number: Int, of last: Int, total: Int? = nil) {
    self.init(items, next: number < last ? .number(number + 1) : nil, total: total)
  }
}

extension Page: Equatable where Item: Equatable {}

/// What a source knows a page by.
public enum PageKey: Hashable, Sendable {
  /// A page's number, from 1.
  case number(Int)
  /// A text that only the source understands.
  case cursor(String)
  /// A page's URL.
  case link(String)

  /// The page's number; `nil` when it has none.
  public var number: Int? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The text that only the source understands; `nil` for another kind of key.
  public var cursor: String? {
    if case .cursor(let cursor) = self { cursor } else { nil }
  }

  /// The page's URL; `nil` for another kind of key.
  public var link: String? {
    if case .link(let link) = self { link } else { nil }
  }
}
