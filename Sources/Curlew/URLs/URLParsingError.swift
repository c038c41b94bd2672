public import Foundation

/// An error that says why a text is no URL to send requests to, and quotes the text.
public struct URLParsingError: Swift.Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The text that could not be parsed, with secrets masked.
  public let text: String
  /// The reason why the text can't be used.
  public let reason: String

  /// A sentence with the text and the reason.
  public var description: String { "\"\(text)\" can't be used as a URL: \(reason)." }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
