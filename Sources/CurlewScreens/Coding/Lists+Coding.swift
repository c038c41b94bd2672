import Foundation

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
