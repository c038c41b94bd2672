/// A decoded feed has the shown items, and is neither loading nor failed.
extension Feed.State: Codable where Item: Codable {
  private struct Record: Codable {
    let content: Page<Item>
    let start: PageKey?
    let isEmpty: Bool
  }

  /// Decodes the items.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    let content = record.content
    self.init(
      items: content.items, start: record.start, next: content.next,
      status: record.isEmpty ? .empty : nil, total: content.total, isPartial: content.isPartial,
      skippedEntries: content.skippedEntries, asOf: content.asOf)
  }

  /// Encodes the items.
  public func encode(to encoder: any Encoder) throws {
    try Record(content: content, start: start, isEmpty: status == .empty).encode(to: encoder)
  }
}
