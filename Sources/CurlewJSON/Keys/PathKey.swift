/// A key of a coding path that no type declares: an index, or a key of a dictionary.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  /// Creates a key for an index of a list.
  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  /// Creates a key as the standard library's dictionaries have it.
  init(dictionaryKey: String) {
    stringValue = dictionaryKey
    intValue = Int(dictionaryKey)
  }

  static let `super` = PathKey(stringValue: "super")
}
