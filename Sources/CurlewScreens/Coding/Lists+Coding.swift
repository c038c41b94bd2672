import Foundation

/// A decoded state is that of the last results: a search that was running, or had failed, is forgotten, and its text
/// can be searched again.
extension Search.State: Codable where Item: Codable {
  private struct Record: Codable {
    let text: String
    let term: String?
    let results: Loadable<[Item]>
    let hint: String?
  }

  /// Decodes the text and the results.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    self.init(text: record.text, term: record.term, results: record.results, hint: record.hint)
  }

  /// Encodes the text and the results.
  public func encode(to encoder: any Encoder) throws {
    let term = results.isEmpty ? term : shownTerm
    try Record(text: text, term: term, results: results, hint: hint).encode(to: encoder)
  }
}

/// A decoded feed has the shown items, and is neither loading nor failed.
extension Feed.State: Codable where Item: Codable {
  private struct Record: Codable {
    let items: [Item]
    let start: PageKey?
    let next: PageKey?
    let isEmpty: Bool
    let total: Int?
    let isPartial: Bool
    let skippedEntries: [String]
    let asOf: Date?
  }

  /// Decodes the items.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    self.init(
      items: record.items, start: record.start, next: record.next,
      status: record.isEmpty ? .empty : nil, total: record.total, isPartial: record.isPartial,
      skippedEntries: record.skippedEntries, asOf: record.asOf)
  }

  /// Encodes the items.
  public func encode(to encoder: any Encoder) throws {
    let record = Record(
      items: items, start: start, next: next, isEmpty: status == .empty, total: total,
      isPartial: isPartial, skippedEntries: skippedEntries, asOf: asOf)
    try record.encode(to: encoder)
  }
}

extension PageKey: Codable {
  private struct Record: Codable {
    let number: Int?
    let cursor: String?
    let link: String?
  }

  /// Decodes the key.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    guard
      let key = record.number.map(Self.number) ?? record.cursor.map(Self.cursor)
        ?? record.link.map(Self.link)
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "A page key has no value."))
    }
    self = key
  }

  /// Encodes the key.
  public func encode(to encoder: any Encoder) throws {
    try Record(number: number, cursor: cursor, link: link).encode(to: encoder)
  }
}
