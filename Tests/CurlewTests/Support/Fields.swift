public import HTTPTypes

extension HTTPField.Name: @retroactive ExpressibleByStringLiteral {
  /// Creates the name of a field that HTTPTypes has none for.
  public init(stringLiteral text: String) { self = HTTPField.Name(text)! }
}
