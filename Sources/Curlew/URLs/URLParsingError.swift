public import Foundation

/// An error that says why a text is no URL to send requests to, and quotes the text.
public struct URLParsingError: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The text that could not be parsed, with secrets masked.
  public let text: String
  /// The reason why the text can't be used.
  public let reason: String
  /// Whether the text should be a base URL.
  var isBase = false

  /// A sentence with the text and the reason, and for a base URL an example.
  public var description: String {
    "\"\(text)\" is not a \(isBase ? "base URL" : "URL to send requests to"): \(reason)."
      + (isBase ? " It should look like https://api.example.com/v1." : "")
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
