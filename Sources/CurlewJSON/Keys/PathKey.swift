/// A coding path's key without a declared key type: a list index or a dictionary key.
package struct PathKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  /// Creates a key for an index of a list.
  package init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  /// Creates a key like the standard library's dictionaries.
  init(dictionaryKey: String) {
    stringValue = dictionaryKey
    intValue = Int(dictionaryKey)
  }

  static let `super` = PathKey(stringValue: "super")
}
