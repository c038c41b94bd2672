public import HTTPTypes

extension HTTPField.Name: @retroactive ExpressibleByStringLiteral {
  /// Creates a field name for which HTTPTypes has no constant.
  public init(stringLiteral text: String) { self = HTTPField.Name(text)! }
}
