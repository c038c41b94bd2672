import HTTPTypes

extension HTTPFields {
  /// Merges the equal lines of each field that has one value: some servers and proxies send a field twice.
  ///
  /// - Returns: The name of a field whose lines differ, so that the response has no certain meaning (RFC 9110 section 5.3).
  ///   Only fields about the content count: RFC 9111 section 4.2.1 has a rule for dates and ages, and a redirect reads
  ///   `Location` itself.
  mutating func mergeEqualLines() -> HTTPField.Name? {
    guard hasRepeatedSingletons else { return nil }
    for name in Self.singletons {
      let lines = self[fields: name]
      guard let first = lines.first, lines.count > 1 else { continue }
      if lines.allSatisfy({ $0.value.utf8.elementsEqual(first.value.utf8) }) {
        self[fields: name] = [first]
      } else if Self.contentSingletons.contains(name) {
        return name
      }
    }
    return nil
  }

  /// Whether a field that has one value has several lines; without the index of all fields that a look-up by name builds.
  private var hasRepeatedSingletons: Bool {
    var seen = 0
    for field in self {
      let length = field.name.canonicalName.utf8.count
      guard length < Self.bits.count else { continue }
      for (name, bit) in Self.bits[length] where name == field.name {
        if seen & bit != 0 { return true }
        seen |= bit
      }
    }
    return false
  }

  private static let contentSingletons: [HTTPField.Name] = [
    .contentLength, .contentRange, .contentType, .eTag, .lastModified,
  ]
  private static let singletons: [HTTPField.Name] =
    contentSingletons + [.age, .date, .expires, .location, .retryAfter]
  /// The names of each length, with a bit for each name.
  private static let bits: [[(name: HTTPField.Name, bit: Int)]] = (0...14).map { length in
    singletons.enumerated().compactMap { index, name in
      name.canonicalName.utf8.count == length ? (name, 1 << index) : nil
    }
  }
}
