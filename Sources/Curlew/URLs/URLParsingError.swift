public import Foundation

/// An error for a text that is not a valid http or https URL; it contains the text and the reason.
public struct URLParsingError: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The text that could not be parsed, with secrets masked.
  public let text: String
  /// The reason why the text can't be used.
  public let reason: String
  /// Whether a base URL was expected.
  var isBase = false

  /// A sentence with the text and the reason; for a base URL, also an example.
  public var description: String {
    "\"\(text)\" is not a \(isBase ? "base URL" : "URL to send requests to"): \(reason)."
      + (isBase ? " It should look like https://api.example.com/v1." : "")
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
