import Foundation

/// A decoded value is at rest: content that was loading, or whose load had failed, is decoded as the last content.
extension Loadable: Codable where Content: Codable {
  private enum Key: String, CodingKey { case content, asOf, isEmpty }

  /// Decodes the content.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let content = try values.decodeIfPresent(Content.self, forKey: .content) {
      self = .content(content, asOf: try values.decodeIfPresent(Date.self, forKey: .asOf))
    } else {
      self = try values.decodeIfPresent(Bool.self, forKey: .isEmpty) == true ? .empty : .idle
    }
  }

  /// Encodes the content, or the last content.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(latest, forKey: .content)
    try values.encodeIfPresent(asOf, forKey: .asOf)
    if isEmpty { try values.encode(true, forKey: .isEmpty) }
  }
}
