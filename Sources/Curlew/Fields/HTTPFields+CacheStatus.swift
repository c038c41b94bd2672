import HTTPTypes

extension HTTPFields {
  /// Appends the status of this cache after the statuses of intermediate caches (RFC 9211 section 2).
  mutating func add(_ status: CacheStatus) {
    append(HTTPField(name: .cacheStatus, value: status.fieldValue()))
  }
}

extension HTTPField.Name {
  /// `Cache-Status` (RFC 9211).
  static let cacheStatus = Self("Cache-Status")!
}
