package import HTTPTypes

extension HTTPFields {
  /// Adds what this cache did, after what caches on the way did (RFC 9211 section 2).
  mutating func add(_ status: CacheStatus) {
    append(HTTPField(name: .cacheStatus, value: status.fieldValue()))
  }
}

extension HTTPField.Name {
  /// `Cache-Status` (RFC 9211).
  package static let cacheStatus = Self("Cache-Status")!
}
